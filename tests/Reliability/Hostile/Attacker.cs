using System.IO.MemoryMappedFiles;
using BlitQueue.Log;

namespace BlitQueue.Reliability.Hostile;

/// <summary>A thread that writes words into mappings of a queue's files, its own ones.</summary>
internal sealed class Attacker : IDisposable
{
    private static readonly long[] Extreme = [0, 1, 7, 8, -1, -8, 4096, 65528, 65536, 1L << 31, 1L << 47, 1L << 62, long.MaxValue,
        long.MinValue, 0xFFFF, 0x0001_0001];

    // Those that everything hangs on.
    private static readonly int[] ControlWords =
    [
        ControlFormat.LockOwnerOffset, ControlFormat.TailOffset, ControlFormat.AllocatedEndOffset, ControlFormat.FirstRetainedOffset,
        ControlFormat.SubscriptionsOffset,
        ControlFormat.DataWakeOffset, ControlFormat.RoomWakeOffset, ControlFormat.DurableOffset, ControlFormat.InStoreOffset,
        ControlFormat.ParticipantsOffset,
    ];

    private static readonly int[] SubscriptionWords =
    [
        SubscriptionFormat.NextOffset, SubscriptionFormat.LeasesOffset, SubscriptionFormat.ReturnedOffset,
        SubscriptionFormat.ExclusiveOffset,
        SubscriptionFormat.CellsOffset, SubscriptionFormat.CellsOffset + 8, SubscriptionFormat.CellsOffset + 16,
    ];

    private readonly List<(string Name, MemoryMappedFile File, MemoryMappedViewAccessor View)> _files = [];
    private readonly Thread _thread;
    private readonly Random _random;
    private volatile bool _stops;
    private long _written;

    public Attacker(string directory, int seed)
    {
        _random = new Random(seed);
        foreach (string path in Directory.EnumerateFiles(directory))
        {
            string name = Path.GetFileName(path);
            // What is being made just now may be empty still.
            if (name is not (StoreFormat.MetaName or StoreFormat.LockName)
                && !name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal))
            {
                TryMap(path, name);
            }
        }
        _thread = new Thread(Attack) { IsBackground = true };
        _thread.Start();
    }

    private void TryMap(string path, string name)
    {
        try
        {
            var file = MemoryMappedFile.CreateFromFile(path, FileMode.Open);
            _files.Add((name, file, file.CreateViewAccessor()));
        }
        catch (FileNotFoundException)
        {
            // It has become a later segment since it was listed.
        }
    }

    /// <returns>How many words were written.</returns>
    public long Stop()
    {
        _stops = true;
        _thread.Join();
        return _written;
    }

    private void Attack()
    {
        while (!_stops)
        {
            (string name, _, MemoryMappedViewAccessor view) = _files[_random.Next(_files.Count)];
            long offset = OffsetIn(name, view.Capacity);
            long before = view.ReadInt64(offset);
            view.Write(offset, _random.Next(4) switch
            {
                0 => _random.NextInt64(long.MinValue, long.MaxValue),
                1 => Extreme[_random.Next(Extreme.Length)],
                2 => before + (8 * _random.Next(-64, 64)),
                _ => before ^ (1L << _random.Next(64)),
            });
            _written++;
            // Now and then as fast as it goes, else so that the victim gets somewhere.
            Thread.SpinWait(_random.Next(8) == 0 ? 1 : _random.Next(2000));
            if (_random.Next(20) != 0)
            {
                view.Write(offset, before);
            }
        }
    }

    private long OffsetIn(string name, long capacity)
    {
        int[] words = name == StoreFormat.ControlName ? ControlWords
            : name.StartsWith(StoreFormat.SubscriptionPrefix, StringComparison.Ordinal) ? SubscriptionWords
            : [0, 8, 24, 32, 40, 56, 64, 4096, 4104];
        return _random.Next(3) == 0
            ? _random.NextInt64(capacity / 8) * 8
            : words[_random.Next(words.Length)];
    }

    public void Dispose()
    {
        Stop();
        foreach ((_, MemoryMappedFile file, MemoryMappedViewAccessor view) in _files)
        {
            view.Dispose();
            file.Dispose();
        }
    }
}
