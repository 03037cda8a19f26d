using System.Text;
using BlitQueue.Platform;

namespace BlitQueue.Reliability.Power;

/// <summary>
/// What the disk may hold when the power goes: of each page that was changed since its last sync the old version, the new one, one in
/// between, or sectors of two; of each file its old or its new length; of each directory any of the
/// unsynced changes that do not need another.
/// </summary>
internal sealed class CrashImage(Recorder recorded, int now, Random random)
{
    private const int SectorSize = 512;

    // As in docs/FORMAT.md: where the boot id stands in queue.control and store.transactions, and in subscriptions.
    private const int BootOffset = 32, BootSize = 64, IdentityOffset = 96, IdentitySize = 32, SubscriptionBootOffset = 176;

    private readonly Dictionary<(object, int), int> _items = [];
    private readonly ImageStyle _style = StyleOf(random);
    private readonly double _share = random.NextDouble();
    private readonly byte[] _page = new byte[FileHistory.PageSize];
    private HashSet<int> _exceptions = [];

    public ImageStyle Style => _style;

    /// <summary>Writes the image to a directory, which is made.</summary>
    public void Write(string directory)
    {
        Count(recorded.Root);
        int exceptions = random.Next(1, 3);
        _exceptions = [.. Enumerable.Range(0, exceptions).Select(_ => random.Next(Math.Max(1, _items.Count)))];
        WriteDirectory(recorded.Root, directory);
    }

    private static ImageStyle StyleOf(Random random) => random.Next(20) switch
    {
        < 2 => ImageStyle.NothingMore,
        2 => ImageStyle.Everything,
        < 8 => ImageStyle.AlmostNothing,
        < 13 => ImageStyle.AlmostEverything,
        _ => ImageStyle.AnyPart,
    };

    // Gives each thing that may be old or new a number.
    private void Count(DirectoryHistory directory)
    {
        IReadOnlyList<DirectoryHistory.Change> open = directory.Changes(now).Open;
        for (int i = 0; i < open.Count; i++)
        {
            _items[(directory, i)] = _items.Count;
        }
        foreach (object target in directory.Names.Values.Concat(open.Select(static change => change.Target)).Distinct())
        {
            if (target is DirectoryHistory below)
            {
                Count(below);
            }
            else if (target is FileHistory file)
            {
                foreach (int page in file.Dirty(now))
                {
                    _items.TryAdd((file, page), _items.Count);
                }
            }
        }
    }

    private bool IsNew(object owner, int part) => _style switch
    {
        ImageStyle.NothingMore => false,
        ImageStyle.Everything => true,
        ImageStyle.AlmostNothing => IsException(owner, part),
        ImageStyle.AlmostEverything => !IsException(owner, part),
        _ => random.NextDouble() < _share,
    };

    private bool IsException(object owner, int part) => _items.TryGetValue((owner, part), out int item) && _exceptions.Contains(item);

    private void WriteDirectory(DirectoryHistory directory, string path)
    {
        Directory.CreateDirectory(path);
        foreach ((string name, object target) in NamesOf(directory))
        {
            string below = Path.Combine(path, name);
            if (target is DirectoryHistory inner)
            {
                WriteDirectory(inner, below);
            }
            else
            {
                WriteFile((FileHistory)target, below);
            }
        }
    }

    private Dictionary<string, object> NamesOf(DirectoryHistory directory)
    {
        var names = new Dictionary<string, object>(directory.Base);
        (IReadOnlyList<DirectoryHistory.Change> certain, IReadOnlyList<DirectoryHistory.Change> open) = directory.Changes(now);
        foreach (DirectoryHistory.Change change in certain)
        {
            DirectoryHistory.Apply(change, names);
        }
        // A change of a name or a file that waits for an earlier change of the same waits too.
        var lost = new HashSet<object>();
        for (int i = 0; i < open.Count; i++)
        {
            DirectoryHistory.Change change = open[i];
            object[] touched = [.. new object?[] { change.Gone, change.Name, change.Target }.OfType<object>()];
            if (!touched.Any(lost.Contains) && IsNew(directory, i))
            {
                DirectoryHistory.Apply(change, names);
            }
            else
            {
                lost.UnionWith(touched);
            }
        }
        return names;
    }

    private void WriteFile(FileHistory file, string path)
    {
        (int oldest, int newest) = file.LengthVersions(now);
        long length = file.Length(oldest < newest && IsNew(file, 0) ? newest : oldest);
        byte[] content = new byte[length];
        for (int page = 0; page * (long)FileHistory.PageSize < length; page++)
        {
            int start = page * FileHistory.PageSize, size = (int)Math.Min(FileHistory.PageSize, length - start);
            PageOf(file, page)[..size].CopyTo(content.AsSpan(start));
        }
        if (Path.GetFileName(path) is "queue.control" or "store.transactions" && length >= BootOffset + BootSize)
        {
            PretendRestart(content.AsSpan(BootOffset, BootSize));
        }
        if (Path.GetFileName(path).StartsWith("subscription-", StringComparison.Ordinal) && length >= SubscriptionBootOffset + sizeof(long))
        {
            content.AsSpan(SubscriptionBootOffset, sizeof(long)).Fill(0xEE);
        }
        File.WriteAllBytes(path, content);
        if (Path.GetFileName(path) is "queue.control" or "store.transactions" && length >= IdentityOffset + IdentitySize
            && content.AsSpan(IdentityOffset, IdentitySize).ContainsAnyExcept((byte)0))
        {
            // The disk is the same one: what the words say of the file itself still holds, where it had reached the disk.
            using FileStream control = File.OpenWrite(path);
            control.Position = IdentityOffset;
            control.Write(CurrentPlatform.Instance.IdentityOf(path));
        }
    }

    private ReadOnlySpan<byte> PageOf(FileHistory file, int page)
    {
        (int from, int to) = file.Versions(page, now);
        if (from == to || !IsNew(file, page))
        {
            return file.Page(page, from);
        }
        return random.Next(4) switch
        {
            0 => Torn(file, page, random.Next(from, to), to),
            1 => Torn(file, page, random.Next(from, to), random.Next(from + 1, to + 1)),
            2 => file.Page(page, random.Next(from + 1, to + 1)),
            _ => file.Page(page, to),
        };
    }

    private ReadOnlySpan<byte> Torn(FileHistory file, int page, int one, int other)
    {
        file.Page(page, one).CopyTo(_page);
        // The device writes sectors in any order; most often the first ones.
        int first = random.Next(FileHistory.PageSize / SectorSize);
        bool anyOrder = random.Next(2) == 0;
        for (int sector = 0; sector < FileHistory.PageSize / SectorSize; sector++)
        {
            if (anyOrder ? random.Next(2) == 0 : sector <= first)
            {
                file.Page(page, other).Slice(sector * SectorSize, SectorSize).CopyTo(_page.AsSpan(sector * SectorSize));
            }
        }
        return _page;
    }

    // Where the words belong to this boot they are to belong to another. Nothing where they had not been written.
    private static void PretendRestart(Span<byte> boot)
    {
        if (boot[0] != 0)
        {
            boot.Clear();
            Encoding.ASCII.GetBytes("another boot of this machine", boot);
        }
    }
}

/// <summary>How much of what was not synced is on the disk.</summary>
internal enum ImageStyle
{
    /// <summary>Nothing.</summary>
    NothingMore,

    /// <summary>All of it.</summary>
    Everything,

    /// <summary>One page or name, or two.</summary>
    AlmostNothing,

    /// <summary>All but one page or name, or two.</summary>
    AlmostEverything,

    /// <summary>Each page and name by chance.</summary>
    AnyPart,
}
