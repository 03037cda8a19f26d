namespace BlitQueue.Generator.Tests.Harness;

/// <summary>A place in a project's sources that edits fill in one way or another. The first way is the one that compiles.</summary>
internal sealed record Slot(string Name, params string[] Ways);
