using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Links;

/// <summary>The other end of what nobody receives.</summary>
internal readonly struct NothingReceiver : IReceiver
{
    public long Receive() => Numbers.End;

    public void Dispose()
    {
    }
}
