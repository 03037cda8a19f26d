namespace BlitQueue.Clients;

/// <summary>Damages one file of a queue, and undoes it: the file stays the same file.</summary>
internal sealed class Damage : IDisposable
{
    private static readonly ulong[] Nasty =
    [
        0, 1, 8, 0x7F, 0xFF, 0xFFFF, 0x1000_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
    ];

    private readonly string _path;
    private readonly byte[] _before;
    private readonly bool _isDeleted;

    /// <summary>Damages a file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="starts">Offsets in it at which records begin.</param>
    /// <param name="random">Decides what is done.</param>
    public Damage(string path, IReadOnlyList<int> starts, Random random)
    {
        _path = path;
        _before = File.ReadAllBytes(path);
        byte[] bytes = (byte[])_before.Clone();
        int at = starts.Count > 0 && random.Next(3) == 0 ? starts[random.Next(starts.Count)] : Offset(path, random);
        switch (random.Next(10))
        {
            case 0 or 1 or 2:
                bytes[at] ^= (byte)(1 << random.Next(8));
                Text = $"a bit at {at}";
                break;
            case 3 or 4:
                Span<byte> word = Some(bytes, at, 1 << random.Next(4));
                BitConverter.GetBytes(Nasty[random.Next(Nasty.Length)]).AsSpan(0, word.Length).CopyTo(word);
                Text = $"{word.Length} bytes at {at}";
                break;
            case 5 or 6:
                Span<byte> zeros = Some(bytes, at, 1 << random.Next(14));
                zeros.Clear();
                Text = $"{zeros.Length} zeros at {at}";
                break;
            case 7:
                int from = Offset(path, random) & ~7, to = at & ~7;
                int count = Math.Min(8 << random.Next(10), bytes.Length - Math.Max(from, to));
                _before.AsSpan(from, count).CopyTo(bytes.AsSpan(to));
                Text = $"{count} bytes of {from} at {to}";
                break;
            case 8:
                bytes = random.Next(2) == 0 ? bytes[..at] : [.. bytes, 0];
                Text = $"{bytes.Length} bytes";
                break;
            default:
                _isDeleted = true;
                Text = "deleted";
                break;
        }

        if (_isDeleted)
        {
            File.Move(path, path + ".away");
        }
        else
        {
            Write(bytes);
        }
    }

    /// <summary>What was done.</summary>
    public string Text { get; }

    // Most of a segment's damage is where its records are.
    private static int Offset(string path, Random random)
    {
        int length = (int)new FileInfo(path).Length;
        bool isSegment = Path.GetFileName(path).StartsWith("segment-", StringComparison.Ordinal);
        int least = isSegment && random.Next(8) > 0 ? 4096 : 0;
        int most = Path.GetFileName(path) == "queue.control" && random.Next(4) > 0 ? 2048 : length;
        return random.Next(least, Math.Max(least + 1, most));
    }

    private static Span<byte> Some(byte[] bytes, int at, int count) => bytes.AsSpan(at, Math.Min(count, bytes.Length - at));

    private void Write(byte[] bytes)
    {
        using FileStream file = new(_path, FileMode.Open, FileAccess.Write);
        file.SetLength(bytes.Length);
        file.Write(bytes);
    }

    public void Dispose()
    {
        if (_isDeleted)
        {
            File.Move(_path + ".away", _path);
        }
        else
        {
            Write(_before);
        }
    }
}
