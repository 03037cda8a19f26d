using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>Writes values to a channel of this process.</summary>
internal struct ChannelSender<TWords> : ISender where TWords : struct, IWords
{
    private readonly ThreadChannel<TWords> _channel;
    private TWords _message;
    private long _sent;

    public ChannelSender(string place)
    {
        _channel = ThreadChannel<TWords>.Of(place);
        _message = default;
        Pattern.Fill(_message.Bytes);
    }

    public void Send(long number)
    {
        Pattern.Stamp(_message.Bytes, number);
        if ((++_sent & 1023) == 0)
        {
            while (_sent - Volatile.Read(ref _channel.Received) > ThreadChannel<TWords>.MaximumLead)
            {
                Thread.SpinWait(10);
            }
        }
        _channel.Channel.Writer.TryWrite(_message);
    }

    public readonly void Dispose()
    {
    }
}
