using System.Diagnostics;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Links;

internal sealed partial class EndedTransport<TSender, TReceiver>
{
    private const int ReceiveBatch = 8192;

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
}
