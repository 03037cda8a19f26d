using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>Every transport by its name. Both processes make the same list.</summary>
internal static class Transports
{
    // A log that its consumer cannot keep up with must not fill the memory.
    private const long Capacity = 256L << 20;

    private static readonly QueueOptions Streaming = new() { Capacity = Capacity };
    private static readonly QueueOptions Spinning = new() { SpinDuration = TimeSpan.FromMinutes(1) };
    private static readonly QueueOptions Sleeping = new() { SpinDuration = TimeSpan.Zero };

    private static readonly Dictionary<string, Transport> All = new Transport[]
    {
        Queue<Fixed8>("queue-8", 8, Streaming),
        Queue<Fixed64>("queue-64", 64, Streaming),
        Queue<Fixed1024>("queue-1024", 1024, Streaming),
        Queue<Fixed64>("queue-spinning", 64, Spinning),
        Queue<Fixed64>("queue-sleeping", 64, Sleeping),
        Ring(8), Ring(64), Ring(1024),
        Socket(8), Socket(64), Socket(1024),
        Channel<Words1>("channel-8"), Channel<Words8>("channel-64"), Channel<Words128>("channel-1024"),
        new EndedTransport<WordSender, WordReceiver>("word", place => new WordSender(place), place => new WordReceiver(place)),
    }.ToDictionary(transport => transport.Name);

    public static Transport Get(string name) => All[name];

    private static Transport Queue<T>(string name, int size, QueueOptions options) where T : class, IBenchMessage<T> =>
        new EndedTransport<QueueSender<T>, QueueReceiver<T>>(
            name, place => new QueueSender<T>(place, size, options), place => new QueueReceiver<T>(place, size, options));

    private static Transport Ring(int size) => new EndedTransport<RingSender, RingReceiver>(
        $"ring-{size}", place => new RingSender(place, size), place => new RingReceiver(place, size));

    private static Transport Socket(int size) => new EndedTransport<SocketSender, SocketReceiver>(
        $"socket-{size}", place => new SocketSender(place, size), place => new SocketReceiver(place, size));

    private static Transport Channel<TWords>(string name) where TWords : struct, IWords =>
        new EndedTransport<ChannelSender<TWords>, ChannelReceiver<TWords>>(
            name, place => new ChannelSender<TWords>(place), place => new ChannelReceiver<TWords>(place));
}
