using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;

namespace Quickstart;

/// <summary>
/// Cuts files into lines with their line ends, and hashes what it reads. A line that is longer than the buffer comes in pieces. One
/// instance, with one buffer, reads one file after the other.
/// </summary>
internal sealed class LineReader : IDisposable
{
    private const int LongestPiece = 1 << 20;

    private readonly byte[] _buffer = new byte[LongestPiece];
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private SafeFileHandle? _file;
    private int _start, _end;
    private bool _lineEnded;

    /// <summary>Bytes of the file before the next piece.</summary>
    public long Position { get; private set; }

    /// <summary>The number of the line that the last piece belongs to, from 1.</summary>
    public int Number { get; private set; }

    public void Open(string path)
    {
        Dispose(_file);
        _file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        _start = _end = Number = 0;
        Position = 0;
        _lineEnded = true;
        _hash.TryGetHashAndReset(stackalloc byte[SHA256.HashSizeInBytes], out _);
    }

    /// <summary>The next line, or piece of one, which stays as it is until the next call; false at the end of the file.</summary>
    public bool TryRead(out ReadOnlySpan<byte> piece)
    {
        int length = FindPiece();
        piece = _buffer.AsSpan(_start, length);
        _start += length;
        Position += length;
        if (length > 0)
        {
            Number += _lineEnded ? 1 : 0;
            _lineEnded = piece[^1] == '\n';
        }
        return length > 0;
    }

    /// <summary>SHA-256 of all that was read since <see cref="Open"/>.</summary>
    public string TakeHash() => Convert.ToHexString(_hash.GetHashAndReset());

    public void Dispose()
    {
        Dispose(_file);
        _hash.Dispose();
    }

    private int FindPiece()
    {
        int searched = 0;
        for (;;)
        {
            Span<byte> unread = _buffer.AsSpan(_start, _end - _start);
            int lineEnd = unread[searched..].IndexOf((byte)'\n');
            if (lineEnd >= 0)
            {
                return searched + lineEnd + 1;
            }
            searched = unread.Length;
            if (searched == LongestPiece)
            {
                return BeforeBrokenCharacter(unread);
            }
            if (!TryReadMore())
            {
                return searched;
            }
        }
    }

    private bool TryReadMore()
    {
        Buffer.BlockCopy(_buffer, _start, _buffer, 0, _end - _start);
        _end -= _start;
        _start = 0;
        int read = RandomAccess.Read(_file!, _buffer.AsSpan(_end), Position + _end);
        _hash.AppendData(_buffer, _end, read);
        _end += read;
        return read > 0;
    }

    // A character of UTF-8 must not be cut in two, or a long line of good text would travel as bytes.
    private static int BeforeBrokenCharacter(ReadOnlySpan<byte> piece)
    {
        int cut = piece.Length;
        while (cut > piece.Length - 4 && (piece[cut - 1] & 0xC0) == 0x80)
        {
            cut--;
        }
        return piece[cut - 1] >= 0xC0 ? cut - 1 : piece.Length;
    }

    private static void Dispose(SafeFileHandle? file) => file?.Dispose();
}
