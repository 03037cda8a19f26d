using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>Reads values from a channel of this process, spinning.</summary>
internal struct ChannelReceiver<TWords>(string place) : IReceiver where TWords : struct, IWords
{
    private readonly ThreadChannel<TWords> _channel = ThreadChannel<TWords>.Of(place);
    private TWords _message;
    private long _received;

    public long Receive()
    {
        while (!_channel.Channel.Reader.TryRead(out _message))
        {
            Thread.SpinWait(1);
        }
        if ((++_received & 1023) == 0)
        {
            Volatile.Write(ref _channel.Received, _received);
        }
        return Pattern.Check(_message.Bytes);
    }

    public readonly void Dispose() => ThreadChannel<TWords>.Forget(place);
}
