using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Seeds;

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
