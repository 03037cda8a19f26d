namespace BlitQueue.RabbitMq.Tests;

/// <summary>
/// Positions that are used again: after a loss of power, in a copy, and in a queue that is restored from an older copy. What is sent with
/// them is no duplicate.
/// </summary>
public sealed class EpochTests(Broker broker) : BridgeFixture(broker)
{
    private const int EpochsOffset = 3072, EpochSlotSize = 512;

    private string Queue => FileOf("outbox");

    private string State => $"{Queue}.default.forward";

    /// <summary>The disk has an older state of the queue, in the same files, and of the forwarder's file or not.</summary>
    [BrokerTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task After_a_power_loss_new_messages_arrive_though_they_have_the_positions_of_lost_ones(bool isStateOlder)
    {
        Run(ReceiverOptions);
        await ForwardAsync(0, 100);
        Dictionary<string, byte[]> disk = Contents();
        byte[] state = File.ReadAllBytes(State);
        await ForwardAsync(100, 300);
        RestoreInPlace(disk);
        if (isStateOlder)
        {
            File.WriteAllBytes(State, state);
        }
        await ForwardAsync(400, 200);
        await ForwardAsync(600, 10);
        await AssertArriveAsync(Numbers(0, 610));
    }

    /// <summary>As above, where the forwarder was away for two restarts, and each lost what had been sent.</summary>
    [BrokerFact]
    public async Task After_two_power_losses_nothing_is_taken_for_what_was_sent()
    {
        Run(ReceiverOptions);
        await ForwardAsync(0, 100);
        Dictionary<string, byte[]> disk = Contents();
        await ForwardAsync(100, 300);
        RestoreInPlace(disk);
        Enqueue(400, 100);
        Dictionary<string, byte[]> second = Contents();
        Enqueue(-1, 1);
        RestoreInPlace(second);
        await ForwardAsync(500, 100);
        await AssertArriveAsync(Numbers(0, 600));
    }

    /// <summary>The table of the epochs is lost with the control file: what waits is sent under a new name, not under an old one.</summary>
    [BrokerFact]
    public async Task After_a_power_loss_and_a_lost_control_file_what_waits_arrives()
    {
        Run(ReceiverOptions);
        await ForwardAsync(0, 100);
        Dictionary<string, byte[]> disk = Contents();
        await ForwardAsync(100, 300);
        RestoreInPlace(disk);
        Enqueue(1_000, 50);
        File.Delete(Path.Combine(Queue, "queue.control"));
        MappedQueue.Repair(Queue);
        await ForwardAsync(2_000, 10);
        await AssertArriveAsync([.. Numbers(0, 400), .. Numbers(1_000, 50), .. Numbers(2_000, 10)]);
    }

    /// <summary>More restarts than the table has room for, each with a message that waits.</summary>
    [BrokerFact]
    public async Task What_waits_for_more_restarts_than_are_remembered_arrives()
    {
        Run(ReceiverOptions);
        await ForwardAsync(0, 100);
        Dictionary<string, byte[]> disk = Contents();
        await ForwardAsync(100, 300);
        RestoreInPlace(disk);
        Enqueue(1_000, 50);
        for (int restart = 0; restart < 33; restart++)
        {
            RestoreInPlace(Contents());
            Enqueue(1_050 + restart, 1);
        }
        await ForwardAsync(2_000, 10);
        await AssertArriveAsync([.. Numbers(0, 400), .. Numbers(1_000, 83), .. Numbers(2_000, 10)]);
    }

    [BrokerTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_queue_that_is_restored_from_an_older_copy_goes_on(bool isStateOlder)
    {
        Run(ReceiverOptions);
        await ForwardAsync(0, 50);
        Enqueue(50, 50);
        Dictionary<string, byte[]> copy = Contents();
        byte[] state = File.ReadAllBytes(State);
        await ForwardAsync(100, 300);
        Directory.Delete(Queue, recursive: true);
        Write(Queue, copy);
        if (isStateOlder)
        {
            File.Delete(State);
            File.WriteAllBytes(State, state);
        }
        await ForwardAsync(400, 200);
        await AssertArriveAsync(Numbers(0, 600));
    }

    /// <summary>Which positions were used twice is known no more: nothing is sent until a repair, or a restart, gives new names.</summary>
    [BrokerTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task With_a_damaged_table_of_epochs_nothing_is_sent_under_the_name_of_another(bool isRepaired)
    {
        Dictionary<string, byte[]> damaged = await UsePositionsTwiceAsync();
        byte[] control = damaged["queue.control"];
        control[EpochsOffset + 16] ^= 1;
        control[EpochsOffset + EpochSlotSize + 16] ^= 1;
        Write(Queue, damaged);
        using (MappedQueue<Parcel> queue = Open(Queue))
        {
            await Assert.ThrowsAsync<QueueCorruptException>(
                () => new Forwarder<Parcel>(queue, ForwarderOptions).RunAsync().WaitAsync(Patience));
        }
        if (isRepaired)
        {
            MappedQueue.Repair(Queue);
        }
        else
        {
            RestoreInPlace(damaged);
        }
        await ForwardAsync(700, 10);
        await AssertArriveAsync(Numbers(0, 710));
    }

    /// <summary>The other slot has the same names.</summary>
    [BrokerTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task With_one_slot_of_the_epochs_damaged_everything_arrives(bool isZero)
    {
        Dictionary<string, byte[]> damaged = await UsePositionsTwiceAsync();
        byte[] control = damaged["queue.control"];
        int newest = BitConverter.ToInt64(control, EpochsOffset) > BitConverter.ToInt64(control, EpochsOffset + EpochSlotSize) ? 0 : 1;
        Span<byte> slot = control.AsSpan(EpochsOffset + (newest * EpochSlotSize), EpochSlotSize);
        slot[16] ^= 1;
        if (isZero)
        {
            slot.Clear();
        }
        Write(Queue, damaged);
        await ForwardAsync(700, 10);
        await AssertArriveAsync(Numbers(0, 710));
    }

    // Messages 400 and later have positions that B knows from others.
    private async Task<Dictionary<string, byte[]>> UsePositionsTwiceAsync()
    {
        Run(ReceiverOptions);
        await ForwardAsync(0, 10);
        RestoreInPlace(Contents());
        await ForwardAsync(10, 90);
        Dictionary<string, byte[]> disk = Contents();
        await ForwardAsync(100, 300);
        RestoreInPlace(disk);
        Enqueue(400, 300);
        return Contents();
    }

    /// <summary>Both have what was not sent when the copy was made: it arrives once. What is enqueued in either arrives.</summary>
    [BrokerFact]
    public async Task A_copy_and_its_original_both_forward()
    {
        Run(ReceiverOptions);
        await ForwardAsync(0, 100);
        Enqueue(100, 50);
        string clone = FileOf("clone");
        Write(clone, Contents());
        File.Copy(State, $"{clone}.default.forward");
        await Task.WhenAll(ForwardAsync(1_000, 300), ForwardAsync(2_000, 300, clone));
        List<long> taken = await TakeAsync(750);
        Assert.Equal(Numbers(0, 150), taken.Where(static one => one < 1_000));
        Assert.Equal(Numbers(1_000, 300), taken.Where(static one => one is >= 1_000 and < 2_000));
        Assert.Equal(Numbers(2_000, 300), taken.Where(static one => one >= 2_000));
        await AssertNoMoreAsync();
    }

    private static IEnumerable<long> Numbers(int first, int count) => Enumerable.Range(first, count).Select(static one => (long)one);

    private void Enqueue(long first, int count)
    {
        using MappedQueue<Parcel> queue = Open(Queue);
        Send(queue, first, count, filling: 500);
    }

    private static MappedQueue<Parcel> Open(string path) =>
        MappedQueue<Parcel>.Open(path, new QueueOptions { SegmentSize = 1 << 16 });

    // Until everything is confirmed.
    private async Task ForwardAsync(long first, int count, string? path = null)
    {
        using MappedQueue<Parcel> queue = Open(path ?? Queue);
        await WhileForwardingAsync(queue, ForwarderOptions, async forwarder =>
        {
            Send(queue, first, count, filling: 500);
            await UntilAsync(forwarder, static state => state is { Lag: 0, Messages: > 0 });
        });
    }

    // These and no others, in order.
    private async Task AssertArriveAsync(IEnumerable<long> numbers)
    {
        List<long> expected = [.. numbers];
        Assert.Equal(expected, await TakeAsync(expected.Count));
        await AssertNoMoreAsync();
    }

    private async Task AssertNoMoreAsync()
    {
        await UntilEmptyAsync();
        Assert.Equal(0, Inbox.GetStatus().MessageCount);
    }

    private Dictionary<string, byte[]> Contents() =>
        Directory.EnumerateFiles(Queue).ToDictionary(static path => Path.GetFileName(path), File.ReadAllBytes);

    private static void Write(string directory, Dictionary<string, byte[]> files)
    {
        Directory.CreateDirectory(directory);
        foreach ((string name, byte[] bytes) in files)
        {
            File.WriteAllBytes(Path.Combine(directory, name), bytes);
        }
    }

    // The files stay the same ones, and belong to another start of the system.
    private void RestoreInPlace(Dictionary<string, byte[]> files)
    {
        foreach (string path in Directory.EnumerateFiles(Queue).Where(path => !files.ContainsKey(Path.GetFileName(path))))
        {
            File.Delete(path);
        }
        Write(Queue, files);
        PretendRestart(Queue);
    }
}
