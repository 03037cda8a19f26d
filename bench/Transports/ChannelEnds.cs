using System.Collections.Concurrent;
using System.Threading.Channels;

namespace BlitQueue.Bench.Links;

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
