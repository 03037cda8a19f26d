using System.Diagnostics;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Transports;

internal sealed partial class TypedTransport<TSender, TReceiver>
{
    private const int ReceiveBatch = 8192, AskBatch = 16;
    private static readonly double TicksPerNs = Stopwatch.Frequency / 1e9;

    private SendResult RunSend(ref TSender sender, TimeSpan duration)
    {
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long started = Stopwatch.GetTimestamp();
        long number = 0;
        do
        {
            for (int i = 0; i < SendBatch; i++)
            {
                sender.Send(number++);
            }
        }
        while (Stopwatch.GetElapsedTime(started) < duration);
        sender.Send(Numbers.End);
        long ended = Stopwatch.GetTimestamp();
        return new SendResult(number, started, ended, GC.GetTotalAllocatedBytes(precise: true) - allocated);
    }

    private static ReceiveResult RunReceive(ref TReceiver receiver)
    {
        var clock = new BatchClock(ReceiveBatch);
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long number = 0;
        // The clock of the batches starts with the first message, not with the wait for it.
        long first = receiver.Receive();
        if (first == Numbers.End)
        {
            return new ReceiveResult(0, Stopwatch.GetTimestamp(), FirstNs: null, SteadyNs: null, Allocated: 0);
        }
        Numbers.Expect(first, number++);
        clock.Start();
        while (ReceiveOneBatch(ref receiver, ref number))
        {
            clock.Mark();
        }
        long ended = Stopwatch.GetTimestamp();
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        return new ReceiveResult(number, ended, clock.FirstNs, clock.MedianNs, allocated);
    }

    // False when the end came.
    private static bool ReceiveOneBatch(ref TReceiver receiver, ref long number)
    {
        for (int i = 0; i < ReceiveBatch; i++)
        {
            long got = receiver.Receive();
            if (got == Numbers.End)
            {
                return false;
            }
            Numbers.Expect(got, number++);
        }
        return true;
    }

    private static AskResult RunAsk(ref TSender there, ref TReceiver back, TimeSpan duration, TimeSpan idle)
    {
        var clock = new BatchClock(idle == TimeSpan.Zero ? AskBatch : 1);
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long started = Stopwatch.GetTimestamp();
        long number = 0;
        do
        {
            if (idle != TimeSpan.Zero)
            {
                Thread.Sleep(idle);
            }
            clock.Start();
            for (int i = 0; i < clock.BatchSize; i++)
            {
                there.Send(number);
                Numbers.Expect(back.Receive(), number++);
            }
            clock.Mark();
        }
        while (Stopwatch.GetElapsedTime(started) < duration);
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        there.Send(Numbers.End);
        return new AskResult(number, clock.MeanNs, clock.FirstNs, clock.MedianNs, allocated);
    }

    private static ReceiveResult RunAnswer(ref TReceiver there, ref TSender back)
    {
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long number = 0;
        for (long got; (got = there.Receive()) != Numbers.End; number++)
        {
            Numbers.Expect(got, number);
            back.Send(got);
        }
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        return new ReceiveResult(number, Stopwatch.GetTimestamp(), FirstNs: null, SteadyNs: null, allocated);
    }

    private static LatencyResult RunPace(ref TSender sender, TimeSpan duration, int perSecond)
    {
        var histogram = new LatencyHistogram();
        long interval = Stopwatch.Frequency / perSecond, intended = Stopwatch.GetTimestamp();
        long ends = intended + (long)(duration.TotalSeconds * Stopwatch.Frequency);
        while ((intended += interval) < ends)
        {
            while (Stopwatch.GetTimestamp() < intended)
            {
            }
            sender.Send(intended);
            histogram.Record(Since(intended));
        }
        sender.Send(Numbers.End);
        return new LatencyResult(histogram.Count, Latency.Of(histogram));
    }

    private static LatencyResult RunClock(ref TReceiver receiver)
    {
        var histogram = new LatencyHistogram();
        long last = 0;
        for (long intended; (intended = receiver.Receive()) != Numbers.End; last = intended)
        {
            histogram.Record(Since(intended));
            if (intended <= last)
            {
                throw new InvalidDataException("A message came twice, or behind a later one.");
            }
        }
        return new LatencyResult(histogram.Count, Latency.Of(histogram));
    }

    private static long Since(long intended) => (long)((Stopwatch.GetTimestamp() - intended) / TicksPerNs);
}
