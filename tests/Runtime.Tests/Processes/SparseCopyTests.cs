using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Copies in which a copying program left holes where there were zeros, on a file system without room to fill them, or with room for
/// some. A store into a hole would end the process, in memory also a look at one: so processes of their own do both.
/// </summary>
public sealed class SparseCopyTests : IDisposable
{
    private const int Small = 1 << 16, Large = 4 << 20, Messages = 40, Letters = 3;
    private const int Refused = 3;

    // KiB that are left on the disk: from too few for any file to enough for all.
    private static readonly int[] Room = [.. Enumerable.Range(0, 20).Select(static step => 20 * step), 700, 1500, 9000];

    // Filling a disk takes longer than filling a memory.
    private static readonly int[] RoomOnDisk = [0, 60, 120, 180, 240, 300, 400, 700, 1500, 9000];

    private readonly Site _site = new();
    private LoopDisk? _loop;
    private string? _memory;

    private string Disk => _loop?.MountPoint ?? _memory!;

    private string Queue => Path.Combine(Disk, "queue");

    private string Original => _site.Queue;

    [TmpfsFact]
    public void In_memory_small_segments_are_filled_or_refused() => AssertFilledOrRefused(inMemory: true, Small, "produce");

    [DiskFact]
    public void On_a_disk_small_segments_are_filled_or_refused() => AssertFilledOrRefused(inMemory: false, Small, "produce");

    [TmpfsFact]
    public void In_memory_a_large_first_segment_is_filled_or_refused() => AssertFilledOrRefused(inMemory: true, Large, "produce");

    [DiskFact]
    public void On_a_disk_a_large_first_segment_is_filled_or_refused() => AssertFilledOrRefused(inMemory: false, Large, "produce");

    // Nothing tells such a copy from an original.
    [TmpfsFact]
    public void In_memory_a_copy_without_a_control_file_is_filled_or_refused() =>
        AssertFilledOrRefused(inMemory: true, Small, "produce", StoreFormat.ControlName);

    [DiskFact]
    public void On_a_disk_a_copy_without_a_control_file_is_filled_or_refused() =>
        AssertFilledOrRefused(inMemory: false, Small, "produce", StoreFormat.ControlName);

    [DiskFact]
    public void On_a_disk_a_large_first_segment_without_a_control_file_is_filled_or_refused() =>
        AssertFilledOrRefused(inMemory: false, Large, "produce", StoreFormat.ControlName);

    // Before letters of one subscription become messages, the files of all others are looked at, which nobody has opened as a queue.
    [TmpfsFact]
    public void In_memory_letters_that_nobody_has_opened_end_no_process() =>
        AssertFilledOrRefused(inMemory: true, Small, "requeue", sparse: StoreFormat.DeadLettersName("default"));

    [DiskFact]
    public void On_a_disk_letters_that_nobody_has_opened_end_no_process() =>
        AssertFilledOrRefused(inMemory: false, Small, "requeue", sparse: StoreFormat.DeadLettersName("default"));

    [TmpfsFact]
    public void Verify_and_readers_name_the_file_where_memory_has_no_room_to_read_it()
    {
        Mount(inMemory: true);
        MakeOriginal(Small);
        foreach (int room in Room)
        {
            CopySparsely();
            string filler = FillDisk(room);
            string verified = Run("verify", out int code), read = Run("read", out int readerCode);
            Assert.True(code == 0 && (verified.StartsWith("found 0", StringComparison.Ordinal) || NamesHoles(verified)), verified);
            Assert.True(readerCode == 0 || (readerCode == Refused && NamesHoles(read)), read);
            Assert.True(room > 0 || (NamesHoles(verified) && readerCode == Refused), verified + read);
            Assert.True(room < Room[^1] || (readerCode == 0 && !NamesHoles(verified)), verified + read);
            File.Delete(filler);
            // Nothing was changed.
            Assert.StartsWith("found 0", Run("verify", out _), StringComparison.Ordinal);
            Clear();
        }
    }

    // A recovery notes numbers of messages at the end of the header, where a copy has zeros.
    [DiskFact]
    public void A_header_of_many_pages_is_filled_or_refused()
    {
        Mount(inMemory: false);
        var random = new Random(1);
        MemberSchema[] members = [.. Enumerable.Range(0, 5000).Select(_ => new MemberSchema($"Member{random.NextInt64():x}", "i64"))];
        foreach (long size in (long[])[Large, 1 << 20])
        {
            var options = new StoreOptions
            {
                Schema = new MessageSchema("Wide", members),
                SegmentSize = size,
                Patience = Peer.Patience,
            };
            QueueStore.Open(Original, options).Dispose();
            foreach (int room in RoomOnDisk)
            {
                CopySparsely();
                string filler = FillDisk(room);
                string target = Path.Combine(_site.Root, "backup");
                string said = Run("backup", out int code, $"target={target}");
                AssertDoneOrFull(said, code);
                File.Delete(filler);
                DeleteIfThere(target);
                Run("backup", out code, $"target={target}");
                Assert.Equal(0, code);
                DeleteIfThere(target);
                Clear();
            }
            Directory.Delete(Original, recursive: true);
        }
    }

    [TmpfsFact]
    public void In_memory_a_store_is_filled_or_refused() => AssertStoreFilledOrRefused(inMemory: true);

    [DiskFact]
    public void On_a_disk_a_store_is_filled_or_refused() => AssertStoreFilledOrRefused(inMemory: false);

    // Segments that were used before, with old records behind the end, and an empty last one.
    [DiskFact]
    public void Segments_that_went_round_are_filled_or_refused()
    {
        Mount(inMemory: false);
        using (var queue = MappedQueue<Parcel>.Open(Original, new QueueOptions { SegmentSize = Small, Capacity = 5 * Small }))
        {
            Parcel? parcel = null;
            for (int number = 0; number < 1000; number++)
            {
                queue.Enqueue(new Parcel().Fill(1, number, 1000));
                Assert.True(number < 100 || queue.TryDequeue(ref parcel));
            }
        }
        foreach (int room in RoomOnDisk)
        {
            CopySparsely();
            string filler = FillDisk(room);
            AssertDoneOrFull(Run("produce", out int code, "producer=9", "count=1"), code);
            File.Delete(filler);
            Assert.Equal([.. Enumerable.Range(900, 100)], Take(Queue));
            Clear();
        }
    }

    // A file whose every byte is zero is no queue's; one that is zero from somewhere on is filled up to its end.
    [DiskFact]
    public void Of_a_file_that_is_a_hole_or_ends_with_one_nothing_ends_the_process()
    {
        Mount(inMemory: false);
        MakeOriginal(Small);
        foreach (string name in (string[])[StoreFormat.SubscriptionName("default"), StoreFormat.SegmentName(0), StoreFormat.ControlName])
        {
            foreach (long left in (long[])[0, 4096])
            {
                CopySparsely();
                string path = Path.Combine(Queue, name);
                long length = new FileInfo(path).Length;
                using (FileStream file = File.OpenWrite(path))
                {
                    file.SetLength(left);
                    file.SetLength(length);
                }
                string filler = FillDisk(40);
                string said = Run("produce", out int code, "producer=9", "count=1");
                Assert.True(code is 0 or Refused, said);
                File.Delete(filler);
                said = Run("produce", out code, "producer=9", "count=1");
                Assert.True(code is 0 or Refused, said);
                Clear();
            }
        }
    }

    private void AssertFilledOrRefused(bool inMemory, long segmentSize, string command, string? lost = null, string? sparse = null)
    {
        Mount(inMemory);
        MakeOriginal(segmentSize);
        int refused = 0, done = 0;
        foreach (int room in inMemory ? Room : RoomOnDisk)
        {
            CopySparsely(sparse);
            if (lost is not null)
            {
                File.Delete(Path.Combine(Queue, lost));
            }
            string filler = FillDisk(room);
            string[] options = command == "requeue" ? ["subscription=audit"] : ["producer=9", "count=1"];
            string said = Run(command, out int code, options);
            AssertDoneOrFull(said, code);
            (refused, done) = code == Refused ? (refused + 1, done) : (refused, done + 1);
            File.Delete(filler);
            Assert.Empty(Directory.EnumerateFiles(Queue, "*" + StoreFormat.UnfinishedSuffix));
            using var queue = MappedQueue<Parcel>.Open(Queue);
            Assert.All(queue.Recovered?.Findings ?? [], static one => Assert.Equal(StoreCheck.RenamedEpochs, one.What));
            AssertHasAll(queue);
            Clear(queue);
        }
        Assert.True(refused > 0 && done > 0, $"{refused} times refused, {done} times done.");
    }

    private void AssertStoreFilledOrRefused(bool inMemory)
    {
        Mount(inMemory);
        string original = Path.Combine(_site.Root, "store");
        using (var store = MappedStore.Open(original, new QueueOptions { SegmentSize = Small }))
        {
            MappedQueue<Parcel> from = store.OpenQueue<Parcel>("queue");
            store.OpenQueue<Parcel>("left");
            for (int number = 0; number < 10; number++)
            {
                from.Enqueue(new Parcel().Fill(1, number, 1000));
            }
        }
        foreach (int room in inMemory ? Room : RoomOnDisk)
        {
            string copy = Path.Combine(Disk, "store");
            Site.Copy(original, copy, "--sparse=always");
            string filler = FillDisk(room);
            using (Peer peer = Peer.StartSpare().Employ(
                Path.Combine(copy, "queue"), _site.NewLog(), "store-transfer", "", "", ["to=left", "count=1"]))
            {
                peer.EndInput();
                int code = peer.WaitForExit();
                AssertDoneOrFull(peer.Said, code);
            }
            File.Delete(filler);
            List<long> left = StoreSite.Take(Path.Combine(copy, "left")), rest = StoreSite.Take(Path.Combine(copy, "queue"));
            Assert.Equal([.. Enumerable.Range(0, 10)], [.. left.Concat(rest).Select(static number => (int)number)]);
            Directory.Delete(copy, recursive: true);
        }
    }

    private void MakeOriginal(long segmentSize)
    {
        using var queue = MappedQueue<Parcel>.Open(Original, new QueueOptions { SegmentSize = segmentSize });
        using Subscription<Parcel> subscription = queue.Subscribe("default"), audit = queue.Subscribe("audit");
        foreach (Subscription<Parcel> one in (Subscription<Parcel>[])[subscription, audit])
        {
            for (int number = 0; number < Letters; number++)
            {
                queue.Enqueue(new Parcel().Fill(2, number, 100));
                Parcel? passed = null;
                Assert.True((one == subscription ? audit : subscription).TryDequeue(ref passed));
                Assert.True(one.TryReceive(out Lease<Parcel> lease));
                lease.DeadLetter("by a test");
            }
        }
        for (int number = 0; number < Messages; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 1000));
        }
    }

    private static void AssertHasAll(MappedQueue<Parcel> queue)
    {
        foreach (string name in (string[])["default", "audit"])
        {
            using Subscription<Parcel> subscription = queue.Subscribe(name);
            Parcel? parcel = null;
            var numbers = new List<long>();
            while (subscription.TryDequeue(ref parcel))
            {
                Assert.True(parcel!.IsIntact());
                if (parcel.Producer == 1)
                {
                    numbers.Add(parcel.Number);
                }
            }
            Assert.Equal([.. Enumerable.Range(0, Messages)], numbers);
            subscription.DeadLetters.RequeueAll();
            int letters = 0;
            for (; subscription.TryDequeue(ref parcel); letters++)
            {
                Assert.True(parcel!.IsIntact());
            }
            Assert.True(letters <= Letters);
        }
    }

    private static int[] Take(string path)
    {
        using var queue = MappedQueue<Parcel>.Open(path);
        return [.. StoreSite.Take(queue).Select(static number => (int)number)];
    }

    private string Run(string command, out int code, params string[] options)
    {
        using Peer peer = Peer.StartSpare().Employ(Queue, _site.NewLog(), command, "", "", options);
        peer.EndInput();
        code = peer.WaitForExit();
        return peer.Said;
    }

    private static void AssertDoneOrFull(string said, int code) => Assert.True(
        code == 0 || (code == Refused && said.Contains(nameof(QueueFullException), StringComparison.Ordinal)), said);

    private static bool NamesHoles(string said) => said.Contains("left holes in this file", StringComparison.Ordinal);

    /// <param name="only">The one directory that is to have holes; all if null.</param>
    private void CopySparsely(string? only = null)
    {
        Site.Copy(Original, Queue, only is null ? "--sparse=always" : "--sparse=never");
        if (only is not null)
        {
            Directory.Delete(Path.Combine(Queue, only), recursive: true);
            Site.Copy(Path.Combine(Original, only), Path.Combine(Queue, only), "--sparse=always");
        }
    }

    // To the last block: the file system gives small pieces where it has no large ones.
    private string FillDisk(int kibibytes)
    {
        string filler = Site.FillDisk(Disk, leave: 0);
        LoopDisk.Run("sh", "-c", $"dd if=/dev/zero of={filler} bs=1K oflag=append conv=notrunc status=none 2>/dev/null; sync -f {filler}; "
            + $"truncate -s -{kibibytes}K {filler}; sync -f {filler}");
        return filler;
    }

    private void Clear(MappedQueue<Parcel>? queue = null)
    {
        queue?.Dispose();
        DeleteIfThere(Queue);
    }

    private static void DeleteIfThere(string path)
    {
        if (Directory.Exists(path))
        {
            Directory.Delete(path, recursive: true);
        }
    }

    private void Mount(bool inMemory)
    {
        if (inMemory)
        {
            _memory = Directory.CreateDirectory(Path.Combine(_site.Root, "disk")).FullName;
            TmpfsFactAttribute.Mount(_memory, "size=40m");
        }
        else
        {
            // Blocks smaller than a page: a page with data may have holes, too.
            _loop = new LoopDisk(_site.Root, megabytes: 80, block: 1024);
        }
    }

    public void Dispose()
    {
        if (_memory is not null)
        {
            TmpfsFactAttribute.Unmount(_memory);
        }
        _loop?.Dispose();
        _site.Dispose();
    }
}
