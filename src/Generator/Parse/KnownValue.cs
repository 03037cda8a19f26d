namespace BlitQueue.Generator.Parse;

/// <summary>A value type with a packed form of its own.</summary>
/// <param name="Schema">The kind's name in the schema.</param>
/// <param name="Size">Packed bytes.</param>
/// <param name="Alignment">
/// The alignment in bytes of a value that lies in memory as it is packed and of which any bit pattern is valid; 0 if it must be checked or
/// converted.
/// </param>
internal sealed record KnownValue(string Schema, int Size, int Alignment = 0);
