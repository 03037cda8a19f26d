using System.Collections.Concurrent;
using System.Threading.Channels;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Transports;

/// <summary>
/// An unbounded channel between two threads. The sender stops when it is far ahead: a measurement of a second would fill the memory.
/// </summary>
internal sealed class ThreadChannel<TWords>
{
    public const int MaximumLead = 1 << 16;

    private static readonly ConcurrentDictionary<string, ThreadChannel<TWords>> Open = new();

    private long _received;

    public Channel<TWords> Channel { get; } = System.Threading.Channels.Channel.CreateUnbounded<TWords>(
        new UnboundedChannelOptions { SingleReader = true, SingleWriter = true });

    /// <summary>Told now and then.</summary>
    public ref long Received => ref _received;

    /// <summary>The channel that both ends of this name share.</summary>
    public static ThreadChannel<TWords> Of(string name) => Open.GetOrAdd(name, static _ => new ThreadChannel<TWords>());

    public static void Forget(string name) => Open.TryRemove(name, out _);
}

/// <summary>Writes values to a channel of this process.</summary>
internal struct ChannelSender<TWords> : ISender where TWords : struct, IWords
{
    private readonly ThreadChannel<TWords> _channel;
    private TWords _message;
    private long _sent;

    public ChannelSender(string path)
    {
        _channel = ThreadChannel<TWords>.Of(path);
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

/// <summary>Reads values from a channel of this process, spinning.</summary>
internal struct ChannelReceiver<TWords>(string path) : IReceiver where TWords : struct, IWords
{
    private readonly ThreadChannel<TWords> _channel = ThreadChannel<TWords>.Of(path);
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

    public readonly void Dispose() => ThreadChannel<TWords>.Forget(path);
}
