namespace BlitQueue.Cli.Lines;

/// <summary>Reads lines of bytes, in the memory of the longest one.</summary>
internal sealed class LineReader(Stream input) : IDisposable
{
    private byte[] _buffer = new byte[256 * 1024];
    private int _start, _end;
    private bool _isOver;

    /// <summary>The number of the line that was read, from 1 on.</summary>
    public long Number { get; private set; }

    /// <summary>Which part of a file was read; null if the input is none.</summary>
    public double? Part => input.CanSeek && input.Length > 0 ? input.Position / (double)input.Length : null;

    /// <summary>Reads the next line, without its end.</summary>
    /// <param name="line">Its bytes, until the next call.</param>
    /// <returns>false if there is none.</returns>
    public bool TryRead(out ReadOnlySpan<byte> line)
    {
        int looked = 0;
        for (; ; )
        {
            ReadOnlySpan<byte> there = _buffer.AsSpan(_start, _end - _start);
            int length = there[looked..].IndexOf((byte)'\n');
            if (length >= 0 || (_isOver && !there.IsEmpty))
            {
                length = length < 0 ? there.Length : looked + length;
                line = there[..length].TrimEnd((byte)'\r');
                _start = Math.Min(_start + length + 1, _end);
                Number++;
                return true;
            }
            if (_isOver)
            {
                line = default;
                return false;
            }
            looked = there.Length;
            Fill();
        }
    }

    private void Fill()
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            (_start, _end) = (0, _end - _start);
        }
        if (_end == _buffer.Length)
        {
            Array.Resize(ref _buffer, (int)Math.Min(2L * _buffer.Length, Array.MaxLength));
        }
        int read = input.Read(_buffer, _end, _buffer.Length - _end);
        _end += read;
        _isOver = read == 0;
    }

    public void Dispose() => input.Dispose();
}
