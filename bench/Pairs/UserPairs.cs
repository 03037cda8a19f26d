using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Scenarios;

namespace BlitQueue.Bench.Pairs;

/// <summary>
/// A program as users write it: a class that has queues of three message types in fields, with a method that sends and one that takes,
/// which a loop calls. The methods are not inlined into the loop, as those of a larger program are not.
/// </summary>
internal sealed class Desk : IDisposable
{
    private readonly MappedQueue<Fixed8> _ticks;
    private readonly MappedQueue<Fixed64> _quotes;
    private readonly MappedQueue<Fixed1024> _books;
    private readonly Fixed8 _tick = Fixed8.Create(8);
    private readonly Fixed64 _quote = Fixed64.Create(64);
    private readonly Fixed1024 _book = Fixed1024.Create(1024);
    private readonly Action<long> _send;
    private readonly Func<long> _take;
    private Fixed8? _takenTick = new();
    private Fixed64? _takenQuote = new();
    private Fixed1024? _takenBook = new();

    public Desk(string path)
    {
        _ticks = MappedQueue<Fixed8>.Open(Path.Combine(path, "ticks"));
        _quotes = MappedQueue<Fixed64>.Open(Path.Combine(path, "quotes"));
        _books = MappedQueue<Fixed1024>.Open(Path.Combine(path, "books"));
        _send = number =>
        {
            _quote.Number = number;
            _quote.Complement = ~number;
            _quotes.Enqueue(in _quote);
        };
        _take = () => _quotes.TryDequeue(ref _takenQuote) ? Fixed64.Check(_takenQuote) : Numbers.End;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public void SendTick(long number)
    {
        _tick.Number = number;
        _ticks.Enqueue(in _tick);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public long TakeTick() => _ticks.TryDequeue(ref _takenTick) ? _takenTick.Number : Numbers.End;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public void SendQuote(long number)
    {
        Fixed64.Stamp(_quote, number);
        _quotes.Enqueue(in _quote);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public long TakeQuote() => _quotes.TryDequeue(ref _takenQuote) ? Fixed64.Check(_takenQuote) : Numbers.End;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public void SendBook(long number)
    {
        Fixed1024.Stamp(_book, number);
        _books.Enqueue(in _book);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public long TakeBook() => _books.TryDequeue(ref _takenBook) ? Fixed1024.Check(_takenBook) : Numbers.End;

    /// <summary>By a delegate.</summary>
    public void SendByDelegate(long number) => _send(number);

    /// <inheritdoc cref="SendByDelegate"/>
    public long TakeByDelegate() => _take();

    /// <summary>By a method that is generic over the message.</summary>
    public void SendGenerically(long number)
    {
        Fixed64.Stamp(_quote, number);
        Send(_quotes, _quote);
    }

    /// <inheritdoc cref="SendGenerically"/>
    public long TakeGenerically() => Take(_quotes, ref _takenQuote) ? Fixed64.Check(_takenQuote!) : Numbers.End;

    /// <summary>By an asynchronous method that never waits.</summary>
    public async ValueTask<long> DeliverAsync(long number)
    {
        Fixed64.Stamp(_quote, number);
        await SendAsync(_quote).ConfigureAwait(false);
        return _quotes.TryDequeue(ref _takenQuote) ? Fixed64.Check(_takenQuote) : Numbers.End;
    }

    private async ValueTask SendAsync(Fixed64 quote)
    {
        _quotes.Enqueue(in quote);
        await ValueTask.CompletedTask.ConfigureAwait(false);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Send<T>(MappedQueue<T> queue, T message) where T : class, IPackable<T> => queue.Enqueue(in message);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool Take<T>(MappedQueue<T> queue, ref T? message) where T : class, IPackable<T> => queue.TryDequeue(ref message);

    public void Dispose()
    {
        _ticks.Dispose();
        _quotes.Dispose();
        _books.Dispose();
    }
}

/// <summary>A message through a <see cref="Desk"/>, after all its queues have been used.</summary>
internal readonly struct DeskPair : IPair
{
    private const int WarmUp = 200_000;

    private readonly Desk _desk;
    private readonly Func<Desk, long, long> _deliver;

    public DeskPair(string path, Func<Desk, long, long> deliver)
    {
        (_desk, _deliver) = (new Desk(path), deliver);
        for (int i = 0; i < WarmUp; i++)
        {
            _desk.SendTick(i);
            _desk.SendQuote(i);
            _desk.SendBook(i);
            Numbers.Expect(_desk.TakeTick(), i);
            Numbers.Expect(_desk.TakeQuote(), i);
            Numbers.Expect(_desk.TakeBook(), i);
        }
    }

    public static long Tick(Desk desk, long number)
    {
        desk.SendTick(number);
        return desk.TakeTick();
    }

    public static long Quote(Desk desk, long number)
    {
        desk.SendQuote(number);
        return desk.TakeQuote();
    }

    public static long Book(Desk desk, long number)
    {
        desk.SendBook(number);
        return desk.TakeBook();
    }

    public static long ByDelegate(Desk desk, long number)
    {
        desk.SendByDelegate(number);
        return desk.TakeByDelegate();
    }

    public static long Generically(Desk desk, long number)
    {
        desk.SendGenerically(number);
        return desk.TakeGenerically();
    }

    public static long Asynchronously(Desk desk, long number) => desk.DeliverAsync(number).Result;

    public long Deliver(long number) => _deliver(_desk, number);

    public void Dispose() => _desk.Dispose();
}

/// <summary>The same shape with a collection of this process instead of a queue.</summary>
internal sealed class CollectionDesk<TWords> where TWords : struct, IWords
{
    private readonly ConcurrentQueue<TWords> _queue = new();
    private readonly Channel<TWords> _channel =
        Channel.CreateUnbounded<TWords>(new UnboundedChannelOptions { SingleReader = true, SingleWriter = true });

    private TWords _sent = default;
    private TWords _taken;

    public CollectionDesk() => Pattern.Fill(_sent.Bytes);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Enqueue(long number)
    {
        Pattern.Stamp(_sent.Bytes, number);
        _queue.Enqueue(_sent);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public long Dequeue() => _queue.TryDequeue(out _taken) ? Pattern.Check(_taken.Bytes) : Numbers.End;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Write(long number)
    {
        Pattern.Stamp(_sent.Bytes, number);
        _channel.Writer.TryWrite(_sent);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public long Read() => _channel.Reader.TryRead(out _taken) ? Pattern.Check(_taken.Bytes) : Numbers.End;
}

/// <summary>A message through a <see cref="CollectionDesk{TWords}"/>.</summary>
internal readonly struct CollectionDeskPair<TWords>(Func<CollectionDesk<TWords>, long, long> deliver) : IPair where TWords : struct, IWords
{
    private readonly CollectionDesk<TWords> _desk = new();

    public static long Queue(CollectionDesk<TWords> desk, long number)
    {
        desk.Enqueue(number);
        return desk.Dequeue();
    }

    public static long Channel(CollectionDesk<TWords> desk, long number)
    {
        desk.Write(number);
        return desk.Read();
    }

    public long Deliver(long number) => deliver(_desk, number);

    public void Dispose()
    {
    }
}
