namespace BlitQueue.Generator.Parse;

/// <summary>A value type with a packed form of its own.</summary>
/// <param name="Schema">The kind's name in the schema.</param>
/// <param name="Size">Packed bytes.</param>
/// <param name="Alignment">
/// In bytes, where it lies in memory as it is packed and any bit pattern is valid; 0 where it must be checked or converted.
/// </param>
internal sealed record KnownValue(string Schema, int Size, int Alignment = 0);
