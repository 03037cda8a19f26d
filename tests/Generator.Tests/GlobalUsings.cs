global using BlitQueue.Mutations;
global using BlitQueue.Generator.Tests.Harness;
global using Xunit;
