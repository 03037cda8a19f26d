using System.Collections.Concurrent;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Channels;
using BlitQueue.Bench.Measuring;
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

/// <summary>Stores a number in a word of a mapped file.</summary>
internal readonly unsafe struct WordSender(string path) : ISender
{
    /// <summary>Bytes of the file.</summary>
    public const long FileSize = 4096;

    private readonly SharedBytes _shared = new(path, FileSize);

    // Zero says that nothing was sent yet.
    public void Send(long number) => Volatile.Write(ref *(long*)_shared.Start, number + 2);

    public void Dispose() => _shared.Dispose();
}

/// <summary>Spins until the word changes: one cache line goes from one processor to the other.</summary>
internal unsafe struct WordReceiver(string path) : IReceiver
{
    private readonly SharedBytes _shared = new(path, WordSender.FileSize);
    private long _last;

    public long Receive()
    {
        long word;
        while ((word = Volatile.Read(ref *(long*)_shared.Start)) == _last)
        {
        }
        _last = word;
        return word - 2;
    }

    public readonly void Dispose() => _shared.Dispose();
}

/// <summary>Sends nothing: what is measured of it is the machine.</summary>
internal readonly struct NullSender : ISender
{
    public void Send(long number)
    {
    }

    public void Dispose()
    {
    }
}

/// <summary>The other end where there is no receiver.</summary>
internal readonly struct NullReceiver : IReceiver
{
    public long Receive() => Numbers.End;

    public void Dispose()
    {
    }
}

/// <summary>An event with a name, and a word in a mapped file for the number: what a sleeper of Windows asks for at least.</summary>
[SupportedOSPlatform("windows")]
internal readonly unsafe struct EventEnds(string path) : ISender, IReceiver
{
    private readonly SharedBytes _shared = new(path, WordSender.FileSize);

    // A name has no backslashes, as a path has.
    private readonly EventWaitHandle _event = new(
        initialState: false, EventResetMode.AutoReset,
        "Local\\blitqueue-bench-" + Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(path))));

    public void Send(long number)
    {
        Volatile.Write(ref *(long*)_shared.Start, number);
        _event.Set();
    }

    public long Receive()
    {
        _event.WaitOne();
        return Volatile.Read(ref *(long*)_shared.Start);
    }

    public void Dispose()
    {
        _event.Dispose();
        _shared.Dispose();
    }
}
