namespace BlitQueue;

public ref partial struct PackWriter
{
    /// <summary>Writes bytes as they are, without a length: for a message whose end the record, or the variable around it, tells.</summary>
    internal void WriteUnframed(scoped ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Claim(bytes.Length));
        _written += bytes.Length;
    }
}
