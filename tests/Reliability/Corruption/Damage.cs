using System.Buffers.Binary;
using System.Runtime.InteropServices;
using BlitQueue.Log;

namespace BlitQueue.Reliability.Corruption;

/// <summary>One harm done to a store's files: random, but more often where it hurts.</summary>
internal sealed class Damage(Golden golden, string directory, Random random)
{
    private const int Sector = 512, PageSize = 4096;

    private static readonly long[] Nasty = [0, 1, 7, 8, -1, 8191, 65535, 65536, 1 << 20, int.MaxValue, int.MinValue, long.MaxValue,
        long.MinValue, 1L << 40];

    /// <summary>What was done, for the reader of a violation.</summary>
    public string Text { get; private set; } = "";

    /// <summary>The file that was hit, relative.</summary>
    public string File { get; private set; } = "";

    public void Do()
    {
        File = Pick();
        string path = Path.Combine(directory, File);
        if (!System.IO.File.Exists(path) || IsHit(path))
        {
            Text = $"nothing, for {File} is hit already";
            return;
        }
        int kind = random.Next(100);
        Text = $"{File}: " + (kind switch
        {
            < 20 => Change(path, bytes => FlipBit(bytes)),
            < 35 => Change(path, bytes => SetByte(bytes)),
            < 55 => Change(path, bytes => SetWord(bytes)),
            < 63 => Change(path, bytes => Zero(bytes, Sector)),
            < 68 => Change(path, bytes => Zero(bytes, PageSize)),
            < 74 => Change(path, bytes => SwapPages(bytes)),
            < 80 => Change(path, bytes => StalePage(bytes)),
            < 84 => Change(path, bytes => Garbage(bytes)),
            < 94 => ChangeFile(path),
            _ => Replace(path),
        });
    }

    // A link, a pipe or a directory of a damage before: what hurts the queue would hurt this here as well.
    private static bool IsHit(string path)
    {
        var file = new FileInfo(path);
        return file.LinkTarget is not null || (Path.Exists(path) && file is not { Exists: true, Length: > 0 });
    }

    private string Pick()
    {
        string[] names = [.. golden.Files.Names];
        string[] segments = [.. names.Where(name => name.Contains(StoreFormat.SegmentPrefix, StringComparison.Ordinal))];
        return random.Next(2) == 0 ? segments[random.Next(segments.Length)] : names[random.Next(names.Length)];
    }

    private string Change(string path, Func<byte[], string> change)
    {
        byte[] bytes = System.IO.File.ReadAllBytes(path);
        string text = bytes.Length == 0 ? "nothing to change" : change(bytes);
        System.IO.File.WriteAllBytes(path, bytes);
        return text;
    }

    // Words are few and at the files' beginnings; records are many.
    private int Offset(byte[] bytes)
    {
        bool isSegment = File.Contains(StoreFormat.SegmentPrefix, StringComparison.Ordinal);
        int near = isSegment ? 96 : File.Contains(StoreFormat.SubscriptionPrefix, StringComparison.Ordinal) ? 208 : 2304;
        return random.Next(4) switch
        {
            0 => random.Next(Math.Min(near, bytes.Length)),
            1 when isSegment => Math.Min(SegmentFormat.PageSize + random.Next(256), bytes.Length - 1),
            1 => Math.Min(4096 + random.Next(4096), bytes.Length - 1),
            _ => random.Next(bytes.Length),
        };
    }

    private int WordOffset(byte[] bytes) => Math.Max(0, Math.Min(Offset(bytes), bytes.Length - 8)) & ~7;

    private string FlipBit(byte[] bytes)
    {
        int at = Offset(bytes), bit = random.Next(8);
        bytes[at] ^= (byte)(1 << bit);
        return $"bit {bit} of byte {at} flipped";
    }

    private string SetByte(byte[] bytes)
    {
        int at = Offset(bytes);
        bytes[at] = (byte)random.Next(256);
        return $"byte {at} set to {bytes[at]}";
    }

    private string SetWord(byte[] bytes)
    {
        if (bytes.Length < 8)
        {
            return FlipBit(bytes);
        }
        int at = WordOffset(bytes);
        long before = BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(at));
        long after = random.Next(4) switch
        {
            0 => random.NextInt64(),
            1 => Nasty[random.Next(Nasty.Length)],
            2 => before + (8 * random.Next(-200, 200)),
            _ => random.Next(1 << 19) & ~7L,
        };
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(at), after);
        return $"word {at} set from {before:x} to {after:x}";
    }

    private string Zero(byte[] bytes, int size)
    {
        int at = Offset(bytes) / size * size;
        bytes.AsSpan(at, Math.Min(size, bytes.Length - at)).Clear();
        return $"{size} bytes at {at} zeroed";
    }

    private string Garbage(byte[] bytes)
    {
        int at = Offset(bytes), length = Math.Min(random.Next(1, 300), bytes.Length - at);
        random.NextBytes(bytes.AsSpan(at, length));
        return $"{length} random bytes at {at}";
    }

    private string SwapPages(byte[] bytes)
    {
        string[] others = [.. golden.Files.Names.Where(name => golden.Files[name].Length >= PageSize)];
        string other = random.Next(2) == 0 ? File : others[random.Next(others.Length)];
        byte[] source = golden.Files[other];
        int pages = bytes.Length / PageSize;
        if (pages == 0 || source.Length < PageSize)
        {
            return FlipBit(bytes);
        }
        int to = Offset(bytes) / PageSize % pages, from = random.Next(source.Length / PageSize);
        byte[] moved = bytes.AsSpan(to * PageSize, PageSize).ToArray();
        source.AsSpan(from * PageSize, PageSize).CopyTo(bytes.AsSpan(to * PageSize));
        if (other == File && from < pages)
        {
            moved.CopyTo(bytes.AsSpan(from * PageSize));
        }
        return $"page {to} is page {from} of {other}";
    }

    private string StalePage(byte[] bytes)
    {
        byte[] earlier = golden.Earlier.Has(File) ? golden.Earlier[File] : [];
        int pages = Math.Min(bytes.Length, earlier.Length) / PageSize;
        if (pages == 0)
        {
            return FlipBit(bytes);
        }
        int page = Offset(bytes) / PageSize % pages;
        earlier.AsSpan(page * PageSize, PageSize).CopyTo(bytes.AsSpan(page * PageSize));
        return $"page {page} is as it was before";
    }

    private string ChangeFile(string path)
    {
        using FileStream file = System.IO.File.OpenWrite(path);
        switch (random.Next(4))
        {
            case 0:
                file.SetLength(0);
                return "emptied";
            case 1:
                file.SetLength(file.Length + random.Next(1, 100_000));
                return $"made {file.Length} bytes long";
            case 2:
                file.SetLength(file.Length / PageSize * random.Next(100) / 100 * PageSize);
                return $"cut to {file.Length} bytes";
            default:
                file.SetLength(random.NextInt64(file.Length + 1));
                return $"cut to {file.Length} bytes";
        }
    }

    private string Replace(string path)
    {
        string aside = Path.Combine(directory, "..", $"aside-{Path.GetFileName(directory)}-{random.Next()}");
        switch (random.Next(8))
        {
            case 0:
                System.IO.File.Delete(path);
                Directory.CreateDirectory(path);
                return "replaced by a directory";
            case 1:
                System.IO.File.Move(path, aside);
                System.IO.File.CreateSymbolicLink(path, Path.GetFullPath(aside));
                return "replaced by a link to itself elsewhere";
            case 2:
                System.IO.File.Delete(path);
                System.IO.File.CreateSymbolicLink(path, random.Next(3) switch { 0 => "/dev/zero", 1 => "/nowhere", _ => "/" });
                return "replaced by a link to something else";
            case 3 when !OperatingSystem.IsWindows():
                System.IO.File.Delete(path);
                MakeFifo(path, 0x180);
                return "replaced by a FIFO";
            case 4:
                System.IO.File.Delete(path);
                return "deleted";
            case 5:
                string name = golden.Files.Names[random.Next(golden.Files.Names.Count)];
                System.IO.File.WriteAllBytes(path, golden.Files[name]);
                return $"replaced by a copy of {name}";
            default:
                return Duplicate(path);
        }
    }

    private string Duplicate(string path)
    {
        string[] names = ["segment-0000000000000000", $"segment-{65536L * random.Next(12):x16}", "segment-7fffffffffff0000",
            "segment-0000000000000001",
            "segment-ffffffffffff0000", "segment-zz", "segment-10000", "subscription-other", "subscription-default", "queue.control",
            "segment-0000000000010000.new"];
        string copy = Path.Combine(Path.GetDirectoryName(path)!, names[random.Next(names.Length)]);
        if (!System.IO.File.Exists(path) || copy == path || IsHit(copy))
        {
            return $"nothing, for {Path.GetFileName(copy)} is hit already";
        }
        System.IO.File.Copy(path, copy, overwrite: true);
        return $"copied to {Path.GetFileName(copy)}";
    }

    [DllImport("libc", EntryPoint = "mkfifo", CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
    private static extern int MakeFifo(string path, uint mode);
}
