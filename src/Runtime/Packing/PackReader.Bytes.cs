namespace BlitQueue;

public ref partial struct PackReader
{
    /// <summary>Reads all that is left of the open variable, or of the source when none is open.</summary>
    internal ReadOnlySpan<byte> ReadUnframed()
    {
        ReadOnlySpan<byte> bytes = _window[_position..];
        _position = _window.Length;
        return bytes;
    }
}
