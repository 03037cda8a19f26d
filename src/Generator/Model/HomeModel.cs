namespace BlitQueue.Generator.Model;

/// <summary>A type inside which types can be named that code elsewhere cannot name, with those of them that are type arguments.</summary>
/// <param name="Header">The type.</param>
/// <param name="Types">The type arguments, sorted by name.</param>
internal sealed record HomeModel(TypeHeader Header, EquatableArray<WireType> Types);
