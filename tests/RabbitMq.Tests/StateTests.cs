using System.Buffers.Binary;
using System.Diagnostics;
using System.Security.Cryptography;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>What a forwarder stores, and what it is told; without a broker.</summary>
public sealed class StateTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("blitqueue-state-").FullName;
    private readonly Guid _queue = Guid.NewGuid();

    private string State => Path.Combine(_directory, "state");

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private SourceFile Open(Guid? queue = null, string subscription = "default", bool isNamed = true) =>
        SourceFile.Open(State, queue ?? _queue, subscription, isNamed);

    [Fact]
    public void A_source_is_the_same_after_each_opening()
    {
        Guid first;
        using (SourceFile file = Open())
        {
            Assert.Equal(ForwardNote.Nothing, file.Noted);
            first = file.Source;
            for (long position = 0; position < 9; position++)
            {
                file.Note(new ForwardNote(new(7, position), [new(6, position - 2), new(7, position - 1)]));
            }
        }
        using SourceFile again = Open();
        Assert.Equal((first, new ForwardPoint(7, 8)), (again.Source, again.Noted.Last));
        Assert.Equal([new ForwardPoint(6, 6), new ForwardPoint(7, 7)], again.Noted.Unsent);
    }

    [Theory]
    [InlineData(0, 50)]
    [InlineData(40_960, 50)]
    [InlineData(0, 70)]
    [InlineData(40_960, 110)]
    public void A_torn_slot_leaves_the_other_one(int slot, int offset)
    {
        Guid first;
        using (SourceFile file = Open())
        {
            first = file.Source;
            file.Note(new ForwardNote(new(0, 8), [new(0, 1), new(0, 2)]));
            file.Note(new ForwardNote(new(0, 16), [new(0, 1), new(0, 2)]));
        }
        byte[] bytes = File.ReadAllBytes(State);
        bytes[slot + offset] ^= 1;
        File.WriteAllBytes(State, bytes);
        using SourceFile again = Open();
        Assert.Equal(first, again.Source);
        Assert.True(again.Noted.Last.Position is 8 or 16);
        again.Note(At(24));
        Assert.Equal(24, again.Noted.Last.Position);
    }

    // As many as there can be, on a file that has room for them from its beginning.
    [Fact]
    public void All_messages_of_a_window_may_be_unsent()
    {
        ForwardPoint[] unsent = [.. Enumerable.Range(1, ForwarderOptions.LargestWindow).Select(static one => new ForwardPoint(one, -one))];
        using (SourceFile file = Open())
        {
            long length = new FileInfo(State).Length;
            file.Note(new ForwardNote(new(0, 8), unsent));
            file.Note(new ForwardNote(new(0, 16), unsent));
            Assert.Equal(length, new FileInfo(State).Length);
        }
        using SourceFile again = Open();
        Assert.Equal(16, again.Noted.Last.Position);
        Assert.Equal(unsent, again.Noted.Unsent);
    }

    // Whatever a kill leaves while the file is made.
    [Theory]
    [InlineData(95)]
    [InlineData(96)]
    [InlineData(40_960)]
    [InlineData(40_980)]
    public void A_file_that_was_cut_short_is_completed(int length)
    {
        Guid first;
        using (SourceFile file = Open())
        {
            first = file.Source;
        }
        File.WriteAllBytes(State, File.ReadAllBytes(State)[..length]);
        using (SourceFile again = Open())
        {
            Assert.Equal(length >= 96, again.Source == first);
            again.Note(At(8));
        }
        Assert.Equal(81_920, new FileInfo(State).Length);
        using SourceFile last = Open();
        Assert.Equal(8, last.Noted.Last.Position);
    }

    /// <summary>As releases before epochs wrote it: two slots of 64 bytes.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_file_of_an_earlier_version_goes_on(bool namesQueue)
    {
        var source = Guid.NewGuid();
        byte[] owner = namesQueue ? _queue.ToByteArray() : SHA256.HashData([.. _queue.ToByteArray(), .. "default"u8])[..16];
        File.WriteAllBytes(State, [.. EarlierSlot(6, 800), .. EarlierSlot(7, 808)]);
        for (int round = 0; round < 2; round++)
        {
            using SourceFile file = Open();
            Assert.Equal((source, new ForwardPoint(0, 808)), (file.Source, file.Noted.Last));
        }

        byte[] EarlierSlot(long counter, long position)
        {
            byte[] slot = new byte[64];
            BinaryPrimitives.WriteUInt64LittleEndian(slot, 0x3130_4457_4651_4221);
            BinaryPrimitives.WriteInt64LittleEndian(slot.AsSpan(8), counter);
            owner.CopyTo(slot, 16);
            source.TryWriteBytes(slot.AsSpan(32));
            BinaryPrimitives.WriteInt64LittleEndian(slot.AsSpan(48), position);
            ulong hash = slot[..56].Aggregate(0xcbf2_9ce4_8422_2325, static (hash, one) => unchecked((hash ^ one) * 0x100_0000_01b3));
            BinaryPrimitives.WriteUInt64LittleEndian(slot.AsSpan(56), hash);
            return slot;
        }
    }

    private static ForwardNote At(long position) => new(new(0, position), []);

    public static TheoryData<long, long, long> Notes => new()
    {
        // Epoch and position of a note, and what it confirms, where epoch 1 begins at 0, 2 at 100 and 3 at 200.
        { 1, 50, 50 }, { 1, 100, 99 }, { 1, 5_000, 99 }, { 2, 150, 150 }, { 2, 250, 199 }, { 3, 250, 250 }, { 4, 250, -1 }, { 0, 50, -1 },
    };

    [Theory]
    [MemberData(nameof(Notes))]
    public void A_note_confirms_nothing_of_later_epochs(long epoch, long position, long expected)
    {
        var epochs = new ForwardEpochs([new QueueEpoch(1, new(0)), new QueueEpoch(2, new(100)), new QueueEpoch(3, new(200))]);
        Assert.Equal(expected, epochs.LastOf(new ForwardNote(new(epoch, position), [])));
        Assert.Equal([1, 1, 2, 2, 3], new long[] { 0, 99, 100, 199, 200 }.Select(one => epochs.Of(one).Epoch));
    }

    [Fact]
    public void Another_queue_at_the_same_path_is_another_source()
    {
        Guid first;
        using (SourceFile file = Open())
        {
            first = file.Source;
            file.Note(At(800));
        }
        using (SourceFile other = Open(Guid.NewGuid()))
        {
            Assert.NotEqual(first, other.Source);
            Assert.Equal(-1, other.Noted.Last.Position);
        }
    }

    // As one source, the second's messages would count as sent up to where the first had come.
    [Theory]
    [InlineData("default", true)]
    [InlineData("audit", false)]
    public void A_path_that_does_not_name_the_subscription_is_refused_to_another_one(string subscription, bool isOfAnotherQueue)
    {
        using (SourceFile first = Open(isNamed: false))
        {
            first.Note(At(800));
        }
        InvalidDataException refused = Assert.Throws<InvalidDataException>(
            () => Open(isOfAnotherQueue ? Guid.NewGuid() : null, subscription, isNamed: false));
        Assert.Contains($"{State} is the state of another subscription, or of another queue", refused.Message, StringComparison.Ordinal);
        using SourceFile again = Open(isNamed: false);
        Assert.Equal(800, again.Noted.Last.Position);
    }

    // Of orders with the subscription eu.west, and of orders.eu with west.
    [Fact]
    public void A_path_that_two_queues_and_subscriptions_make_is_refused_to_the_second()
    {
        using (SourceFile first = Open(subscription: "eu.west"))
        {
            first.Note(At(800));
        }
        InvalidDataException refused = Assert.Throws<InvalidDataException>(() => Open(Guid.NewGuid(), "west"));
        Assert.Contains("the state of another subscription, or of another queue", refused.Message, StringComparison.Ordinal);
        using SourceFile again = Open(subscription: "eu.west");
        Assert.Equal(800, again.Noted.Last.Position);
    }

    [Fact]
    public void A_file_of_something_else_is_refused()
    {
        File.WriteAllBytes(State, new byte[200]);
        Assert.Contains(State, Assert.Throws<InvalidDataException>(() => Open()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_directory_that_cannot_be_synced_is_told()
    {
        if (OperatingSystem.IsLinux())
        {
            DirectorySync.Flush(_directory);
            string missing = Path.Combine(_directory, "missing");
            IOException refused = Assert.Throws<IOException>(() => DirectorySync.Flush(missing));
            Assert.Contains($"open({missing}) failed", refused.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void One_process_has_the_file_at_a_time()
    {
        using SourceFile file = Open();
        Assert.Equal(BridgeProblem.InUse, Assert.Throws<BridgeException>(() => Open()).Problem);
    }

    /// <summary>
    /// Neither has a connection, so neither consumes: what a look at the subscription's consumers says cannot tell them apart.
    /// </summary>
    [Fact]
    public async Task Two_forwarders_with_files_of_their_own_do_not_both_run()
    {
        using var queue = MappedQueue<Parcel>.Open(Path.Combine(_directory, "a"));
        using var end = new CancellationTokenSource();
        Forwarder<Parcel>[] both = [Make("first"), Make("second"), Make(null)];
        Task[] running = [.. both.Select(one => Task.Run(() => one.RunAsync(end.Token)))];
        await UntilAsync(() => both.Count(static one => one.GetState().Problem == BridgeProblem.InUse) == 2);
        await UntilAsync(() => both.Count(static one => one.GetState().Problem == BridgeProblem.Unreachable) == 1);
        await end.CancelAsync();
        foreach (Task one in running)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => one);
        }

        Forwarder<Parcel> Make(string? state)
        {
            var options = new ForwarderOptions
            {
                RoutingKey = "parcels",
                StatePath = state is null ? null : Path.Combine(_directory, state),
            };
            (options.Broker.Hosts, options.Broker.MaxRetryDelay) = (["127.0.0.1:1"], TimeSpan.FromMilliseconds(200));
            return new Forwarder<Parcel>(queue, options);
        }
    }

    /// <summary>
    /// By a link, or where a container has mounted the queue's directory alone, the queue has another path, and so another file that is the
    /// lock.
    /// </summary>
    [Fact]
    public async Task Two_forwarders_that_know_the_queue_by_different_paths_do_not_both_run()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }
        string link = Path.Combine(_directory, "link");
        using var queue = MappedQueue<Parcel>.Open(Path.Combine(_directory, "a"));
        Directory.CreateSymbolicLink(link, queue.Path);
        using var same = MappedQueue<Parcel>.Open(link);
        Assert.NotEqual(queue.Path, same.Path);
        for (int round = 0; round < 50; round++)
        {
            using var end = new CancellationTokenSource();
            using var start = new Barrier(2);
            Forwarder<Parcel>[] both = [new(queue, Away()), new(same, Away())];
            Task[] running = [.. both.Select(one => Task.Run(() =>
            {
                start.SignalAndWait();
                return one.RunAsync(end.Token);
            }))];
            await UntilAsync(() => both.All(static one => one.GetState().Problem != BridgeProblem.None)
                && both.Any(static one => one.GetState().Problem == BridgeProblem.Unreachable));
            // Each has tried again meanwhile.
            await Task.Delay(50);
            Assert.Single(both, static one => one.GetState().Problem == BridgeProblem.Unreachable);
            Assert.Single(both, static one => one.GetState().Problem == BridgeProblem.InUse);
            await end.CancelAsync();
            foreach (Task one in running)
            {
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => one);
            }
        }

        static ForwarderOptions Away()
        {
            var options = new ForwarderOptions { RoutingKey = "parcels" };
            options.Broker.Hosts = ["127.0.0.1:1"];
            (options.Broker.MinRetryDelay, options.Broker.MaxRetryDelay) = (TimeSpan.FromMilliseconds(2), TimeSpan.FromMilliseconds(20));
            return options;
        }
    }

    [Fact]
    public async Task All_paths_of_a_queue_lead_to_one_file()
    {
        string path = Path.Combine(_directory, "a"), link = Path.Combine(_directory, "link");
        Directory.CreateDirectory(path);
        string[] paths = OperatingSystem.IsWindows() ? [path, path + "/"] : [path, path + "/", link, Path.Combine(link, "../a")];
        if (paths.Contains(link))
        {
            Directory.CreateSymbolicLink(link, path);
        }
        foreach (string one in paths)
        {
            using var queue = MappedQueue<Parcel>.Open(one);
            using var end = new CancellationTokenSource();
            var options = new ForwarderOptions { RoutingKey = "parcels" };
            options.Broker.Hosts = ["127.0.0.1:1"];
            var forwarder = new Forwarder<Parcel>(queue, options);
            var running = Task.Run(() => forwarder.RunAsync(end.Token));
            await UntilAsync(() => forwarder.GetState().Problem == BridgeProblem.Unreachable);
            await end.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        }
        string[] files = Directory.GetFiles(
            _directory, "*.forward", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.None });
        Assert.Equal([path + ".default.forward"], files);
    }

    private static async Task UntilAsync(Func<bool> isMet)
    {
        for (var watch = Stopwatch.StartNew(); !isMet(); await Task.Delay(10))
        {
            Assert.True(watch.Elapsed < TimeSpan.FromSeconds(60), "it did not come to this");
        }
    }

    [Fact]
    public async Task A_queue_that_is_older_than_the_state_is_refused()
    {
        using var queue = MappedQueue<Parcel>.Open(Path.Combine(_directory, "a"));
        using (var file = SourceFile.Open($"{queue.Path}.default.forward", queue.Id, "default", isNamed: true))
        {
            file.Note(At(1L << 40));
        }
        var forwarder = new Forwarder<Parcel>(queue, new ForwarderOptions { RoutingKey = "parcels" });
        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(() => forwarder.RunAsync());
        Assert.Contains("older state", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_broker_that_is_not_there_is_told()
    {
        using var queue = MappedQueue<Parcel>.Open(Path.Combine(_directory, "a"));
        var options = new ForwarderOptions { RoutingKey = "parcels" };
        (options.Broker.Hosts, options.Broker.MinRetryDelay) = (["127.0.0.1:1"], TimeSpan.FromMilliseconds(1));
        using var end = new CancellationTokenSource();
        var forwarder = new Forwarder<Parcel>(queue, options);
        var told = new TaskCompletionSource<BridgeProblem>();
        forwarder.ProblemChanged += (_, problem) => told.TrySetResult(problem.Problem);
        var running = Task.Run(() => forwarder.RunAsync(end.Token));
        Assert.Equal(BridgeProblem.Unreachable, await told.Task);
        Assert.Equal((false, BridgeProblem.Unreachable), (forwarder.GetState().Connected, forwarder.GetState().Problem));
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    [Fact]
    public void Delays_grow_to_their_limit_and_are_random()
    {
        var delay = new RetryDelay(TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(1));
        TimeSpan[] waits = [.. Enumerable.Range(0, 100).Select(_ => delay.Next())];
        Assert.InRange(waits[0].TotalMilliseconds, 50, 100);
        Assert.InRange(waits[1].TotalMilliseconds, 100, 200);
        Assert.All(waits[4..], static one => Assert.InRange(one.TotalMilliseconds, 500, 1000));
        Assert.True(waits.Distinct().Count() > 10);
        delay.Reset();
        Assert.InRange(delay.Next().TotalMilliseconds, 50, 100);
    }

    public static TheoryData<string, ForwarderOptions> WrongForwarders => new()
    {
        { "RoutingKey", new ForwarderOptions() },
        { "Window", new ForwarderOptions { RoutingKey = "q", Window = 2048 } },
        { "Window", new ForwarderOptions { RoutingKey = "q", Window = 0 } },
        { "Subscription", new ForwarderOptions { RoutingKey = "q", Subscription = " " } },
        { "DeclareExchange", new ForwarderOptions { RoutingKey = "q", DeclareExchange = true } },
        { "MaxMessageSize", new ForwarderOptions { RoutingKey = "q", MaxMessageSize = 0 } },
        { "Hosts", new ForwarderOptions { RoutingKey = "q", Broker = { Hosts = [] } } },
        { "Hosts", new ForwarderOptions { RoutingKey = "q", Broker = { Hosts = ["rabbit:http"] } } },
        { "Heartbeat", new ForwarderOptions { RoutingKey = "q", Broker = { Heartbeat = TimeSpan.Zero } } },
        { "TlsCertificate", new ForwarderOptions { RoutingKey = "q", Broker = { TlsCertificate = "client.pfx" } } },
        { "MaxRetryDelay", new ForwarderOptions { RoutingKey = "q", Broker = { MaxRetryDelay = TimeSpan.Zero } } },
    };

    [Theory]
    [MemberData(nameof(WrongForwarders))]
    public void An_option_of_a_forwarder_that_is_out_of_range_is_named(string name, ForwarderOptions options)
    {
        using var queue = MappedQueue<Parcel>.Open(Path.Combine(_directory, "a"));
        ArgumentException thrown = Assert.Throws<ArgumentException>(() => new Forwarder<Parcel>(queue, options));
        Assert.Contains($"Options.{name}", thrown.Message, StringComparison.Ordinal);
    }

    public static TheoryData<string, ReceiverOptions> WrongReceivers => new()
    {
        { "Queue", new ReceiverOptions() },
        { "QueueType", new ReceiverOptions { Queue = "q", QueueType = "stream" } },
        { "Prefetch", new ReceiverOptions { Queue = "q", Prefetch = 0 } },
        { "BatchSize", new ReceiverOptions { Queue = "q", BatchSize = 5000 } },
        { "GapPatience", new ReceiverOptions { Queue = "q", GapPatience = TimeSpan.Zero } },
        { "Exchange", new ReceiverOptions { Queue = "q", Exchange = "shop" } },
        { "DeadLetterExchange", new ReceiverOptions { Queue = "q", DeadLetterExchange = "letters" } },
    };

    [Theory]
    [MemberData(nameof(WrongReceivers))]
    public void An_option_of_a_receiver_that_is_out_of_range_is_named(string name, ReceiverOptions options)
    {
        using var store = MappedStore.Open(Path.Combine(_directory, "b"));
        ArgumentException thrown = Assert.Throws<ArgumentException>(() => new Receiver<Parcel>(store, "parcels", options));
        Assert.Contains($"ReceiverOptions.{name}", thrown.Message, StringComparison.Ordinal);
    }
}
