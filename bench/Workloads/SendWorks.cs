using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;

namespace BlitQueue.Bench.Workloads;

/// <summary>Sends so many messages; nobody receives.</summary>
internal sealed class SendWork<TSender>(TSender sender, int count) : ICountedWork where TSender : struct, ISender
{
    private TSender _sender = sender;

    public void Run()
    {
        for (int number = 0; number < count; number++)
        {
            _sender.Send(number);
        }
        // Ends what a sender may have begun.
        _sender.Send(Numbers.End);
    }

    public void Dispose() => _sender.Dispose();
}

/// <summary>Receives what was sent before.</summary>
internal sealed class ReceiveWork<TSender, TReceiver> : ICountedWork where TSender : struct, ISender where TReceiver : struct, IReceiver
{
    private readonly int _count;
    private TReceiver _receiver;

    public ReceiveWork(TSender sender, TReceiver receiver, int count)
    {
        _receiver = receiver;
        _count = count;
        using var sending = new SendWork<TSender>(sender, count);
        sending.Run();
    }

    public void Run()
    {
        for (int number = 0; number < _count; number++)
        {
            Numbers.Expect(_receiver.Receive(), number);
        }
        Numbers.Expect(_receiver.Receive(), Numbers.End);
    }

    public void Dispose() => _receiver.Dispose();
}
