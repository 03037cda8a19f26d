namespace BlitQueue.Generator.Model;

/// <summary>Packed members of a class that messages of other assemblies, which may derive from it, cannot reach.</summary>
/// <param name="Type">The class, as documentation comments name it.</param>
/// <param name="Members">Their names.</param>
internal sealed record OutOfReachModel(string Type, EquatableArray<string> Members);
