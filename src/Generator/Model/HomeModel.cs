namespace BlitQueue.Generator.Model;

/// <summary>A type inside of which types can be named that others cannot name, and which of them stand for type parameters.</summary>
/// <param name="Header">The type.</param>
/// <param name="Types">By name.</param>
internal sealed record HomeModel(TypeHeader Header, EquatableArray<WireType> Types);
