using System.Globalization;

namespace BlitQueue.Reliability.Disk;

/// <summary>The process that has mounts of its own: it makes disks, has processes fill and empty them, and compares.</summary>
internal sealed class DiskSite(SmallDisk disk, string kind, int seed, int part) : IDisposable
{
    private const int CyclesOfDisk = 25, SegmentSize = 1 << 16;

    private readonly Random _random = new(unchecked((seed * 7919) + (part * 104_729)));
    private readonly string _root = Path.Combine(disk.MountPoint, "store");
    private readonly DiskLedger _books = new();
    private DiskPeer? _producer, _consumer;
    private int _cycle;
    private bool _isBroken;
    private long _next = 1;
    private long _consumed;

    private readonly SharedCopy? _copy = SharedCopy.Of(kind, disk.MountPoint);

    private string Queue => Path.Combine(_root, "queue");

    /// <param name="arguments">"memory", "loop" or a kind of <see cref="SharingCampaign"/>, and the seed.</param>
    public static int Run(string[] arguments)
    {
        Console.SetOut(new StreamWriter(Console.OpenStandardOutput()) { AutoFlush = true });
        int seed = int.Parse(arguments[1], CultureInfo.InvariantCulture);
        Task<string> ended = Task.Run(Console.In.ReadToEnd);
        string root = Directory.CreateTempSubdirectory("blitqueue-disk-").FullName;
        for (int part = 1; !ended.IsCompleted; part++)
        {
            using SmallDisk disk = Make(arguments[0], part, root);
            using var site = new DiskSite(disk, arguments[0], seed, part);
            site.Run(ended);
        }
        Directory.Delete(root, recursive: true);
        return 0;
    }

    private static SmallDisk Make(string kind, int part, string root) => (kind, part % 2) switch
    {
        (SharingCampaign.Btrfs or SharingCampaign.Snapshots or SharingCampaign.Xfs, _) => SmallDisk.OfSharing(root, kind),
        (DiskCampaign.Memory, 1) => SmallDisk.OfMemory(root, "size=2m"),
        (DiskCampaign.Memory, _) => SmallDisk.OfMemory(root, "size=16m,nr_inodes=24"),
        (_, 1) => SmallDisk.OfLoop(root, blockSize: 1024, kibibytes: 4 << 10),
        _ => SmallDisk.OfLoop(root, blockSize: 4096, kibibytes: 7 << 10),
    };

    private void Run(Task ended)
    {
        _copy?.Prepare(_root);
        _consumer = Start();
        _producer = Start();
        for (_cycle = 1; _cycle <= CyclesOfDisk && !ended.IsCompleted && !_isBroken; _cycle++)
        {
            Cycle();
        }
    }

    private void Cycle()
    {
        // A process is started in a third of a second, which is many full disks: most of them are lived through by processes that live on.
        int ballast = _copy is null ? _random.Next(3) : 2, kill = _random.Next(20);
        if (_copy is not null)
        {
            disk.LeaveRoom(_random.Next(12, 24) << 20);
            if (_cycle % 2 == 0)
            {
                Enqueue(_random.Next(1, 40));
            }
            _copy.Take(_root);
        }
        if (ballast == 1)
        {
            disk.TakeRoom(_random.Next(1, 12) * (long)SegmentSize);
        }
        using var over = new CancellationTokenSource();
        Task others = ballast == 2 ? TakeRoomMeanwhile(_random.Next(20), over.Token) : Task.CompletedTask;
        Fill(killAfter: kill == 0 ? TimeSpan.FromMilliseconds(_random.Next(60)) : null);
        over.Cancel();
        others.Wait();
        if (kill == 1)
        {
            Say("killed while full\t1");
            _producer!.Kill();
            ReplaceDead(_random.Next(2) == 0);
        }
        else if (_random.Next(6) == 0)
        {
            Tell(_producer!, "close");
            Reopen(isLast: true, () => Tell(_producer!, "open"));
        }
        if (_random.Next(4) == 0)
        {
            Tell(_consumer!, "more");
        }
        if (!_isBroken)
        {
            RequireNothingHalfMade();
            Empty(ballast != 0);
        }
    }

    // So that there is something in the copy.
    private void Enqueue(int count)
    {
        for (int i = 0; i < count && !_isBroken; i++)
        {
            Probe("");
        }
    }

    private async Task TakeRoomMeanwhile(int delay, CancellationToken over)
    {
        await Task.Delay(delay, CancellationToken.None);
        while (!over.IsCancellationRequested && !disk.TakeRoom(SegmentSize / 4))
        {
            await Task.Delay(1, CancellationToken.None);
        }
    }

    private void Fill(TimeSpan? killAfter)
    {
        DiskPeer producer = _producer!;
        Task killing = killAfter is { } delay ? producer.KillAfter(delay) : Task.CompletedTask;
        (long first, int count) = (0, 0);
        bool isDead = false;
        foreach (string line in producer.Do($"fill {_next} {_random.Next()}"))
        {
            switch (line.Split(' '))
            {
                case ["try", var number, var many]:
                    (first, count) = (long.Parse(number, CultureInfo.InvariantCulture), int.Parse(many, CultureInfo.InvariantCulture));
                    _next = first + count;
                    break;
                case ["taken"]:
                    _books.Enqueued(first, count);
                    count = 0;
                    break;
                case ["refused"]:
                    count = 0;
                    break;
                case ["dead"]:
                    isDead = true;
                    break;
                default:
                    Violate(line);
                    break;
            }
        }
        killing.Wait();
        // Sent off perhaps, and not answered.
        _books.Enqueued(first, count, isCertain: false);
        if (isDead || killAfter is not null)
        {
            Say("killed at work\t1");
            ReplaceDead(_random.Next(2) == 0);
        }
        else
        {
            Say("full disks\t1");
            Say($"full disks, {kind switch { DiskCampaign.Memory => "tmpfs", DiskCampaign.Loop => "ext4", _ => kind }}\t1");
        }
    }

    private void ReplaceDead(bool isLast)
    {
        if (_producer!.Died() is { } wrong)
        {
            Violate($"the producer {wrong}");
        }
        _producer.Dispose();
        Reopen(isLast, () => _producer = Start());
    }

    // Where the consumer gives its handle back too, who opens next is the first again.
    private void Reopen(bool isLast, Action open)
    {
        if (isLast)
        {
            Say("reopened\t1");
            Tell(_consumer!, "close");
        }
        open();
        if (isLast)
        {
            Tell(_consumer!, "open");
        }
    }

    private DiskPeer Start()
    {
        var peer = new DiskPeer(disk, _root);
        if (peer.Ready != "ready")
        {
            Violate($"a process cannot open the queue: {peer.Ready}");
        }
        return peer;
    }

    // Consumes, and looks whether there is room then.
    private void Empty(bool hasBallast)
    {
        bool all = _random.Next(4) > 0, early = _random.Next(2) == 0;
        // Of one segment, which is being written, nothing is given back.
        early |= Directory.GetFiles(Queue, "segment-????????????????").Length < 3;
        // Drained while it is full; a segment that is passed may be shared, and then nothing comes of it for later messages.
        all |= _copy is not null;
        early &= _copy is null;
        if (hasBallast && early)
        {
            disk.GiveRoomBack();
        }
        long most = all ? long.MaxValue : _random.Next(_books.Count + 1);
        foreach (string line in _consumer!.Do($"drain {most}"))
        {
            string? wrong = line.Split(' ') switch
            {
                ["got", var number] => _books.Consumed(long.Parse(number, CultureInfo.InvariantCulture)),
                ["empty"] => _books.Emptied(),
                ["dead"] => $"the consumer {_consumer.Died()}",
                _ => line,
            };
            if (wrong is not null)
            {
                Violate(wrong);
                return;
            }
            if (line[0] == 'g')
            {
                _consumed++;
            }
        }
        Say($"messages\t{_consumed}");
        _consumed = 0;
        if (_copy is not null)
        {
            disk.GiveRoomBack();
            _copy.Delete();
        }
        if (all && !_isBroken)
        {
            Probe(early || _copy is not null ? "" : "though others had left no room, ");
        }
        disk.GiveRoomBack();
    }

    private void Probe(string circumstances)
    {
        long number = _next++;
        foreach (string line in _producer!.Do($"probe {number}"))
        {
            switch (line)
            {
                case "taken":
                    _books.Enqueued(number, 1);
                    break;
                case "refused":
                    Violate($"{circumstances}everything is consumed, and a message of less than a segment is refused");
                    break;
                case not null when !line.StartsWith("try ", StringComparison.Ordinal):
                    Violate(line);
                    break;
            }
        }
    }

    private void Tell(DiskPeer peer, string command)
    {
        foreach (string line in peer.Do(command))
        {
            if (line == "refused")
            {
                Say($"other files refused\t1");
            }
            else
            {
                Violate(line);
            }
        }
    }

    // A thread that makes a segment ahead of need may be at it just now.
    private void RequireNothingHalfMade()
    {
        if (!SpinWait.SpinUntil(() => HalfMade().Length == 0, TimeSpan.FromSeconds(5)))
        {
            Violate($"{string.Join(", ", HalfMade())} stays behind");
        }
    }

    private string[] HalfMade() => Directory.GetFiles(_root, "*.new", SearchOption.AllDirectories);

    private void Violate(string what)
    {
        _isBroken = true;
        Say($"violation {kind} {part}, cycle {_cycle}: {what}");
    }

    private static void Say(string line) => Console.WriteLine(line.ReplaceLineEndings(" | "));

    public void Dispose()
    {
        _producer?.Dispose();
        _consumer?.Dispose();
    }
}
