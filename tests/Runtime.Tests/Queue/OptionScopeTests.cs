using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>What is fixed when a queue is made, what applies to every handle of it, and what is a handle's own.</summary>
public sealed class OptionScopeTests : QueueFixture
{
    private const UnixFileMode OwnerAlone = UnixFileMode.UserRead | UnixFileMode.UserWrite, WithGroup = OwnerAlone | UnixFileMode.GroupRead;

    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16 };

    [Fact]
    public void Another_value_than_the_queue_was_made_with_is_refused_and_both_are_named()
    {
        QueueOptions made = Small with { UseChecksums = true, FileMode = OwnerAlone, CreateDefaultSubscription = false };
        Open(made).Dispose();
        Open(made).Dispose();
        Open(new QueueOptions()).Dispose();
        Refused(made with { SegmentSize = 1 << 17 }, "SegmentSize", "65536", "131072");
        Refused(made with { UseChecksums = false }, "UseChecksums", "True", "False");
        Refused(made with { CreateDefaultSubscription = true }, "CreateDefaultSubscription", "True", "False");
        if (!OperatingSystem.IsWindows())
        {
            Refused(made with { FileMode = WithGroup }, "FileMode", "UserWrite", "GroupRead");
        }
        AssertNothingOpen();
    }

    [Fact]
    public void The_owner_s_rights_alone_are_refused_too_where_others_may_read()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }
        Open(Small with { FileMode = WithGroup }).Dispose();
        Refused(Small with { FileMode = OwnerAlone }, "FileMode", "GroupRead");
        Open(Small).Dispose();
        string store = Path.Combine(Site.Root, "store"), lanes = Path.Combine(Site.Root, "lanes");
        MappedStore.Open(store, Small with { FileMode = WithGroup }).Dispose();
        Assert.Throws<ArgumentException>(() => MappedStore.Open(store, Small with { FileMode = OwnerAlone }));
        MappedLanes<Note>.Open(lanes, 2, Small with { FileMode = WithGroup }).Dispose();
        Assert.Throws<ArgumentException>(() => MappedLanes<Note>.Open(lanes, 2, Small with { FileMode = OwnerAlone }));
    }

    // What was asked for then counts, not what is there by now: a program opens its queue with the same options again.
    [Fact]
    public void A_default_subscription_that_was_made_or_deleted_later_changes_nothing()
    {
        QueueOptions without = Small with { CreateDefaultSubscription = false };
        using (MappedQueue<Note> queue = Open(without))
        {
            queue.Subscribe("default").Dispose();
        }
        Open(without).Dispose();
        Directory.Delete(Site.Queue, recursive: true);
        using (MappedQueue<Note> queue = Open(Small with { CreateDefaultSubscription = true }))
        {
            queue.DeleteSubscription("default");
        }
        Open(Small with { CreateDefaultSubscription = true }).Dispose();
        Refused(without, "CreateDefaultSubscription");
    }

    // As one that earlier code has made.
    [Fact]
    public void Where_it_is_not_known_how_a_queue_was_made_any_will_do()
    {
        Open(Small).Dispose();
        Site.Overwrite(StoreFormat.ControlName, ControlFormat.DefaultMadeOffset, new byte[8]);
        Open(Small with { CreateDefaultSubscription = false }).Dispose();
    }

    [Fact]
    public void A_capacity_applies_to_every_handle()
    {
        using MappedQueue<Note> early = Open(Small), limiting = Open(new QueueOptions { Capacity = 4096, FullMode = FullMode.Fail });
        Assert.Equal(4096, early.GetStatus().Capacity);
        Assert.InRange(Fill(early), 3, 4);
        Assert.Throws<QueueFullException>(() => limiting.Enqueue(Of(1, 1000)));
        using MappedQueue<Note> late = Open(new QueueOptions { FullMode = FullMode.Fail });
        Assert.Throws<QueueFullException>(() => late.Enqueue(Of(1, 1000)));
        Assert.False(late.TryEnqueue(Of(1, 1000)));
    }

    [Fact]
    public void It_reaches_a_handle_that_was_open_within_64_KiB()
    {
        using MappedQueue<Tick> early = OpenTicks(Small);
        for (int id = 0; id < 100; id++)
        {
            early.Enqueue(new Tick { Id = id });
        }
        using MappedQueue<Tick> limiting = OpenTicks(new QueueOptions { Capacity = 4096 });
        int more = 0;
        while (early.TryEnqueue(new Tick { Id = more }))
        {
            Assert.True(++more < 10_000);
        }
        Assert.InRange(early.GetStatus().Bytes, 4096, 4096 + (1 << 16));
    }

    [Fact]
    public void A_message_that_no_longer_fits_at_all_is_refused_by_a_handle_that_was_open()
    {
        using MappedQueue<Note> early = Open(Small);
        early.Enqueue(Of(0));
        Assert.Equal([0], Drain(early));
        using MappedQueue<Note> limiting = Open(new QueueOptions { Capacity = 4096 });
        Assert.Contains(
            " 4096 ", Assert.Throws<ArgumentException>(() => early.Enqueue(Of(1, 100_000))).Message, StringComparison.Ordinal);
        early.Enqueue(Of(2));
        limiting.Dispose();
        Open(new QueueOptions { Capacity = 1 << 20 }).Dispose();
        early.Enqueue(Of(3, 100_000));
        Assert.Equal([2, 3], Drain(early));
    }

    [Fact]
    public void It_stays_when_all_have_gone_and_when_the_control_file_is_made_anew_by_a_repair()
    {
        Open(Small with { Capacity = 4096, RetainBytes = 7 }).Dispose();
        Assert.Equal(4096, Capacity());
        Site.Overwrite(StoreFormat.ControlName, ControlFormat.TailOffset, BitConverter.GetBytes(-8L));
        MappedQueue.Repair(Site.Queue);
        Assert.Equal(4096, Capacity());
        Open(new QueueOptions { Capacity = 8192 }).Dispose();
        Assert.Equal(8192, Capacity());
        Open(new QueueOptions { Capacity = 0 }).Dispose();
        Assert.Null(Capacity());
    }

    [Fact]
    public void A_backup_has_it_too()
    {
        Open(Small with { Capacity = 4096, CreateDefaultSubscription = false }).Dispose();
        string copy = Path.Combine(Site.Root, "copy");
        MappedQueue.Backup(Site.Queue, copy);
        using var queue = MappedQueue<Note>.Open(copy, new QueueOptions { CreateDefaultSubscription = false });
        Assert.Equal(4096, queue.GetStatus().Capacity);
        Assert.Throws<ArgumentException>(() => MappedQueue<Note>.Open(copy, new QueueOptions { CreateDefaultSubscription = true }));
    }

    [Fact]
    public async Task Who_waits_for_room_goes_on_when_another_raises_it()
    {
        using MappedQueue<Note> queue = Open(Small with { Capacity = 4096 });
        Fill(queue);
        Task<QueuePosition> waiting = Task.Run(() => queue.Enqueue(Of(1, 1000)));
        Task<QueuePosition> awaited = queue.EnqueueAsync(Of(1, 1000)).AsTask();
        await Task.Delay(50);
        Assert.False(waiting.IsCompleted || awaited.IsCompleted);
        Open(new QueueOptions { Capacity = 0 }).Dispose();
        await waiting.WaitAsync(TimeSpan.FromSeconds(30));
        await awaited.WaitAsync(TimeSpan.FromSeconds(30));
    }

    [Fact]
    public void Each_producer_decides_what_it_does_where_there_is_no_room()
    {
        using MappedQueue<Note> failing = Open(Small with { Capacity = 4096, FullMode = FullMode.Fail });
        using MappedQueue<Note> dropping = Open(new QueueOptions { FullMode = FullMode.DropOldest });
        Fill(failing);
        Assert.Throws<QueueFullException>(() => failing.Enqueue(Of(100, 1000)));
        dropping.Enqueue(Of(101, 1000));
        long[] left = Drain(failing);
        Assert.Equal((false, 101), (left.Contains(0), left[^1]));
    }

    [Fact]
    public void To_drop_the_oldest_a_queue_needs_a_capacity_whoever_has_set_it()
    {
        ArgumentException refused = Assert.Throws<ArgumentException>(() => Open(Small with { FullMode = FullMode.DropOldest }));
        Assert.Contains("Capacity", refused.Message, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Site.Queue));
        Open(Small with { Capacity = 4096 }).Dispose();
        Open(new QueueOptions { FullMode = FullMode.DropOldest }).Dispose();
    }

    [Fact]
    public void An_opening_and_a_subscriber_take_a_copy()
    {
        QueueOptions options = new() { SegmentSize = 1 << 16, Capacity = 4096, FullMode = FullMode.Fail };
        using MappedQueue<Note> queue = Open(options);
        var consuming = new SubscriptionOptions { MaxAttempts = 1 };
        using Subscription<Note> subscription = queue.Subscribe("default", consuming);
        options.FullMode = FullMode.Wait;
        consuming.MaxAttempts = 100;
        Fill(queue);
        Assert.Throws<QueueFullException>(() => queue.Enqueue(Of(1, 1000)));
        subscription.Receive().Dispose();
        subscription.Receive().Dispose();
        Assert.Equal(1, subscription.DeadLetters.Count);
    }

    [Fact]
    public void Every_option_can_be_set() => Assert.All(
        new[] { typeof(QueueOptions), typeof(SubscriptionOptions), typeof(PackStreamOptions) }
            .SelectMany(static type => type.GetProperties()).Where(static property => property.Name != "EqualityContract"),
        static property => Assert.DoesNotContain(
            property.SetMethod!.ReturnParameter.GetRequiredCustomModifiers(), static modifier => modifier.Name == "IsExternalInit"));

    [Fact]
    public void The_status_says_who_holds_the_room()
    {
        using MappedQueue<Note> queue = Open(Small);
        using Subscription<Note> billing = queue.Subscribe("billing");
        Assert.Null(queue.GetStatus().HeldBy);
        queue.Enqueue(Of(1));
        Assert.True(billing.TryDequeue(out _));
        RoomHolder? holder = queue.GetStatus().HeldBy;
        Assert.Equal(("default", 0), (holder?.Subscription, holder?.Consumers));
        Assert.NotNull(holder?.Since);
    }

    private long? Capacity()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        return queue.GetStatus().Capacity;
    }

    private MappedQueue<Tick> OpenTicks(QueueOptions options) => MappedQueue<Tick>.Open(Path.Combine(Site.Root, "ticks"), options);

    private void Refused(QueueOptions options, params string[] named)
    {
        string message = Assert.Throws<ArgumentException>(() => Open(options)).Message;
        Assert.All([Site.Queue, .. named], part => Assert.Contains(part, message, StringComparison.Ordinal));
    }

    private static int Fill(MappedQueue<Note> queue)
    {
        int fitted = 0;
        while (queue.TryEnqueue(Of(fitted, 1000)))
        {
            fitted++;
        }
        return fitted;
    }
}
