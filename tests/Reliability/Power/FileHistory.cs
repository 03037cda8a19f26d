namespace BlitQueue.Reliability.Power;

/// <summary>What each 4 KiB page of one file held over time, and what of it had been synced when. Times are numbers of events.</summary>
internal sealed class FileHistory
{
    public const int PageSize = 4096;

    private readonly List<List<(int Event, byte[] Bytes)>> _pages = [];
    private readonly List<List<(int Event, int Version)>> _syncedPages = [];
    private readonly List<(int Event, long Length)> _lengths = [];
    private readonly List<(int Event, int Version)> _syncedLengths = [(0, 0)];

    /// <param name="content">What was on the disk when the recording began.</param>
    public FileHistory(ReadOnlySpan<byte> content)
    {
        _lengths.Add((0, content.Length));
        Grow(content.Length);
        for (int page = 0; page < _pages.Count; page++)
        {
            _pages[page][0] = (0, PageOf(content, page));
        }
    }

    /// <summary>Notes what has changed since the last time.</summary>
    public void Note(int now, ReadOnlySpan<byte> content)
    {
        if (_lengths[^1].Length != content.Length)
        {
            _lengths.Add((now, content.Length));
            Grow(content.Length);
        }
        for (int page = 0; page < _pages.Count; page++)
        {
            ReadOnlySpan<byte> bytes = content[Math.Min(content.Length, page * PageSize)..Math.Min(content.Length, (page + 1) * PageSize)];
            if (!_pages[page][^1].Bytes.AsSpan(0, bytes.Length).SequenceEqual(bytes))
            {
                _pages[page].Add((now, PageOf(content, page)));
            }
        }
    }

    /// <summary>
    /// Notes that the pages of a stretch are on the disk as they were at a time before, or newer: another sync
    /// that began later may have ended earlier.
    /// </summary>
    public void NoteSynced(int now, int asOf, long start, long end)
    {
        for (int page = (int)(start / PageSize); page < Math.Min(_pages.Count, (end + PageSize - 1) / PageSize); page++)
        {
            List<(int Event, int Version)> synced = _syncedPages[page];
            int version = Latest(_pages[page], asOf);
            synced.Add((now, synced.Count == 0 ? version : Math.Max(version, synced[^1].Version)));
        }
        _syncedLengths.Add((now, Math.Max(Latest(_lengths, asOf), _syncedLengths[^1].Version)));
    }

    /// <summary>The pages of which the disk may hold one version or another.</summary>
    public IEnumerable<int> Dirty(int now)
    {
        for (int page = 0; page < _pages.Count; page++)
        {
            if (Versions(page, now) is var (from, to) && from < to)
            {
                yield return page;
            }
        }
    }

    /// <summary>The versions of a page that the disk may hold: the one that was synced last, up to the newest.</summary>
    public (int From, int To) Versions(int page, int now)
    {
        int to = Latest(_pages[page], now);
        int synced = Latest(_syncedPages[page], now);
        return (synced < 0 ? 0 : _syncedPages[page][synced].Version, Math.Max(to, 0));
    }

    public (int From, int To) LengthVersions(int now) => (_syncedLengths[Latest(_syncedLengths, now)].Version, Latest(_lengths, now));

    public long Length(int version) => _lengths[version].Length;

    public ReadOnlySpan<byte> Page(int page, int version) => _pages[page][version].Bytes;

    public int Pages => _pages.Count;

    private void Grow(long length)
    {
        while (_pages.Count * (long)PageSize < length)
        {
            _pages.Add([(0, new byte[PageSize])]);
            _syncedPages.Add([]);
        }
    }

    private static byte[] PageOf(ReadOnlySpan<byte> content, int page)
    {
        byte[] bytes = new byte[PageSize];
        int start = page * PageSize;
        if (start < content.Length)
        {
            content[start..Math.Min(content.Length, start + PageSize)].CopyTo(bytes);
        }
        return bytes;
    }

    private static int Latest<T>(List<(int Event, T)> list, int now)
    {
        int index = list.Count - 1;
        while (index >= 0 && list[index].Event > now)
        {
            index--;
        }
        return index;
    }
}
