using System.Diagnostics;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Links;

/// <summary>The loops, compiled for each pair of ends.</summary>
internal sealed class EndedTransport<TSender, TReceiver>(
    string name, Func<string, TSender> openSender, Func<string, TReceiver> openReceiver) : Transport(name)
    where TSender : struct, ISender
    where TReceiver : struct, IReceiver
{
    private const int SendBatch = 1024;
    private const int ReceiveBatch = 8192;
    private const int AskBatch = 16;

    public override SendResult Send(string place, TimeSpan duration, Action opened)
    {
        TSender sender = openSender(There(place));
        try
        {
            opened();
            return RunSend(ref sender, duration);
        }
        finally
        {
            sender.Dispose();
        }
    }

    public override ReceiveResult Receive(string place, Action opened)
    {
        TReceiver receiver = openReceiver(There(place));
        try
        {
            opened();
            return RunReceive(ref receiver);
        }
        finally
        {
            receiver.Dispose();
        }
    }

    public override AskResult Ask(string place, TimeSpan duration, TimeSpan idle, Action opened)
    {
        TSender there = openSender(There(place));
        TReceiver back = openReceiver(Back(place));
        try
        {
            opened();
            return RunAsk(ref there, ref back, duration, idle);
        }
        finally
        {
            there.Dispose();
            back.Dispose();
        }
    }

    public override ReceiveResult Answer(string place, Action opened)
    {
        TReceiver there = openReceiver(There(place));
        TSender back = openSender(Back(place));
        try
        {
            opened();
            return RunAnswer(ref there, ref back);
        }
        finally
        {
            there.Dispose();
            back.Dispose();
        }
    }

    private static SendResult RunSend(ref TSender sender, TimeSpan duration)
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
        return new SendResult(number, started, GC.GetTotalAllocatedBytes(precise: true) - allocated);
    }

    private static ReceiveResult RunReceive(ref TReceiver receiver)
    {
        var clock = new BatchClock(ReceiveBatch);
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long number = 0;
        // The clock of the batches starts with the first message, not with the wait for it.
        Numbers.Expect(receiver.Receive(), number++);
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
        return new ReceiveResult(number, Stopwatch.GetTimestamp(), FirstNs: 0, SteadyNs: 0, allocated);
    }

    private static string There(string place) => Path.Combine(place, "there");

    private static string Back(string place) => Path.Combine(place, "back");
}
