namespace BlitQueue.Generator.Model;

/// <summary>Packed members of a class that derived messages of other assemblies cannot access.</summary>
/// <param name="Type">The class, as documentation comments name it.</param>
/// <param name="Members">Their names.</param>
internal sealed record OutOfReachModel(string Type, EquatableArray<string> Members);
