using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Pairs;

/// <summary>The same bytes copied once, from one array to another: what no queue can go below.</summary>
internal readonly struct CopyPair : IPair
{
    private readonly byte[] _sent;
    private readonly byte[] _received;

    public CopyPair(int size)
    {
        _sent = new byte[size];
        _received = new byte[size];
        Pattern.Fill(_sent);
    }

    public long Pass(long number)
    {
        Pattern.Stamp(_sent, number);
        _sent.AsSpan().CopyTo(_received);
        return Pattern.Check(_received);
    }

    public void Dispose()
    {
    }
}
