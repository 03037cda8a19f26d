using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Seeds;

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
