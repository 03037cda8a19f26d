using System.Diagnostics;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Links;

internal sealed partial class EndedTransport<TSender, TReceiver>
{
    private const int AskBatch = 16;

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
}
