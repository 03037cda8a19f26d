global using System.Collections.Immutable;
global using BlitQueue.Generator.Model;
global using Microsoft.CodeAnalysis;
