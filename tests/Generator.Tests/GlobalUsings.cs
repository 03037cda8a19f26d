global using BlitQueue.Generator.Tests.Harness;
global using BlitQueue.Mutations;
global using Xunit;
