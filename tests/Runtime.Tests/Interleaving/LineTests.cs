using BlitQueue.Explorer;
using BlitQueue.Log;
using BlitQueue.Memory;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Interleaving;

/// <summary>
/// How many cache lines a message moves between cores, counted on the protocol's own code. The model of 64 cores in docs/ARCHITECTURE.md is
/// made of these figures.
/// </summary>
public sealed class LineTests(ITestOutputHelper output) : IDisposable
{
    // The consumer's core comes behind those of the producers. Few enough messages for one segment: no figure is that of a roll.
    private const int Producers = 64, Messages = 512;

    // The runtime may put the handles' own words, which are one core's each in a program, into one line.
    private const double Chance = 0.25;

    private readonly QueueBench _bench = new(Producers + 1);

    public void Dispose() => _bench.Dispose();

    [Theory]
    // Sixteen bytes behind a header of eight: three of eight records reach into another line.
    [InlineData(1, 1.25, 1.25)]
    [InlineData(64, 2.375, 1.25)]
    public void A_message_moves_few_lines(int producers, double enqueued, double dequeued)
    {
        Appender<LineMemory>[] appenders = [.. Enumerable.Range(0, producers).Select(AppenderOf)];
        var cursor = new Cursor<LineMemory>(
            _bench.Subscription, new RecordReader<LineMemory>(_bench.Table, _bench.Meta), _bench.Allocator, _bench.Control);
        using CallGate.Call call = _bench.Gate.Enter();
        // The first round of each enters the segment.
        Pass(appenders, cursor, producers, out _, out _);
        LineMemory.Reset();
        Pass(appenders, cursor, producers, out _, out _);
        Pass(appenders, cursor, Messages, out double into, out double outOf);
        output.WriteLine($"{producers} producers: {into:0.00} lines to enqueue, {outOf:0.00} to dequeue");
        Assert.InRange(into, enqueued, enqueued + Chance);
        Assert.InRange(outOf, dequeued, dequeued + Chance);
        Array.ForEach(appenders, static appender => appender.Dispose());
        cursor.Dispose();
    }

    private Appender<LineMemory> AppenderOf(int core) => new(
        _bench.Control, _bench.Participants[core], _bench.Table, _bench.Allocator, _bench.Meta,
        new AppendLockWait<LineMemory>(_bench.Control, _bench.Participants[core], _bench.Files), _bench.Transactions);

    // Each message by the next core; the consumer takes each at once.
    private static void Pass(
        Appender<LineMemory>[] appenders, Cursor<LineMemory> cursor, int messages, out double into, out double outOf)
    {
        int enqueued = 0, dequeued = 0;
        for (int message = 0; message < messages; message++)
        {
            LineMemory.Core = message % appenders.Length;
            int before = LineMemory.Fetched;
            Append(appenders[LineMemory.Core]);
            enqueued += LineMemory.Fetched - before;
            LineMemory.Core = Producers;
            before = LineMemory.Fetched;
            Take(cursor);
            dequeued += LineMemory.Fetched - before;
        }
        (into, outOf) = ((double)enqueued / messages, (double)dequeued / messages);
    }

    private static void Append(Appender<LineMemory> appender)
    {
        Assert.True(appender.TryAcquireLock(0));
        if (appender.GoesOn(MessageText.Length) || appender.TryFollow(MessageText.Length, long.MaxValue))
        {
            RecordSlot slot = appender.Slot;
            MessageText.Write(slot.Payload(MessageText.Length), 1);
            appender.PublishAt(slot, MessageText.Length);
        }
        else
        {
            appender.ReleaseLock();
            MessageText.Write(appender.Open(TimeSpan.MaxValue), 1);
            appender.Publish(MessageText.Length);
        }
        appender.WakeReaders();
    }

    private static void Take(Cursor<LineMemory> cursor)
    {
        long nextWord = cursor.NextWord, position = SubscriptionFormat.Position(nextWord);
        if (cursor.IsUnleased(nextWord) && cursor.Reader.TryGetSlot(position, MessageText.Length, out RecordSlot slot)
            && cursor.Reader.HasRecord(slot, position, MessageText.Length))
        {
            LineMemory.Reading(slot.Payload(MessageText.Length));
            Assert.True(cursor.TryConsumeWithin(nextWord, position + RecordFormat.Extent(MessageText.Length)));
        }
        else
        {
            Assert.True(cursor.TryFind(out RecordRef found));
            LineMemory.Reading(cursor.Reader.Payload(found));
            Assert.True(cursor.TryConsume(found));
        }
        cursor.WakeWriters();
    }
}
