using System.Diagnostics;

namespace BlitQueue.Peer.Mixed;

/// <summary>What the workers of the mixed campaign can be told to do, each with any of the messages.</summary>
internal static class MixedWorker
{
    /// <summary>What the names of the commands begin with.</summary>
    public const string Prefix = "mixed-";

    public static void Run(Arguments arguments, CancellationToken inputEnded, Handle handle)
    {
        Action<Arguments, CancellationToken, Handle> run = arguments.Text("message", nameof(Parcel)) switch
        {
            nameof(Prickly) => Run<Prickly>,
            nameof(Wrapped) => Run<Wrapped>,
            _ => Run<Parcel>,
        };
        run(arguments, inputEnded, handle);
    }

    private static void Run<T>(Arguments arguments, CancellationToken inputEnded, Handle handle)
        where T : class, IParcel, IPackable<T>, new()
    {
        using var worker = new MixedWorker<T>(arguments, inputEnded, handle);
        worker.Run();
    }
}

/// <summary>
/// One thread of the mixed campaign. Whatever the queue throws is logged, and for the judge to explain; the thread goes on.
/// </summary>
internal sealed partial class MixedWorker<T>(Arguments arguments, CancellationToken inputEnded, Handle handle) : IDisposable
    where T : class, IParcel, IPackable<T>, new()
{
    // One call in so many runs code of the message's that throws; it has that many points to do so.
    private const int Pricks = 40, Points = 5;

    private readonly SideLog _log = new(arguments.LogPath, buffered: false, tally: false);
    private readonly Random _random = new((int)arguments.Number("seed", 1));
    private readonly string _name = arguments.Text("subscription", "default");
    private readonly long _timeout = arguments.Number("timeout", 0);
    private readonly bool _isPricked = typeof(T) != typeof(Parcel);
    private MappedQueue<T> _queue = null!;

    // The subscription of the last call was deleted under it: what else is asked of it says the same.
    private bool _isGone;

    public void Run()
    {
        _queue = handle.Queue<T>();
        Action work = arguments.Command[MixedWorker.Prefix.Length..] switch
        {
            "produce" => ProduceAll,
            "consume" => Consume,
            "lease" => Lease,
            "seek" => Seek,
            "remake" => Remake,
            "visit" => Visit,
            "look" => Look,
            "ask" => Ask,
            "purge" => Purge,
            _ => throw new ArgumentException($"No command is named {arguments.Command}."),
        };
        work();
    }

    private void ProduceAll()
    {
        Produce();
        Say("produced");
    }

    private bool IsOver => inputEnded.IsCancellationRequested;

    /// <summary>Makes one call; an exception is logged.</summary>
    /// <param name="operation">What is called, in one word: what may explain an exception depends on it.</param>
    /// <param name="subscription">The one that the call is about; - for none.</param>
    /// <returns>Whether it came back.</returns>
    private bool Try(string operation, string subscription, Action call, bool poison = false)
    {
        Prick.Arm(_isPricked && _random.Next(Pricks) == 0 ? 1 + _random.Next(Points) : 0, poison && _isPricked);
        _log.Begin();
        try
        {
            call();
            return true;
        }
        catch (Exception exception)
        {
            Prick.Disarm();
            _isGone |= exception is QueueException && exception.Message.Contains("was deleted", StringComparison.Ordinal);
            _log.Happened('X', $"{operation} {subscription} {Describe(exception)}");
            Thread.Sleep(1);
            return false;
        }
        finally
        {
            Prick.Disarm();
        }
    }

    // The type that matters, and the text; what is not the queue's own is told with its place.
    private static string Describe(Exception exception)
    {
        for (Exception? cause = exception; cause is not null; cause = cause.InnerException)
        {
            if (cause is PrickException)
            {
                return $"{nameof(PrickException)} {cause.Message}";
            }
        }
        string text = exception is QueueException or OperationCanceledException ? exception.Message : exception.ToString();
        return $"{exception.GetType().Name} {text.ReplaceLineEndings(" | ")}";
    }

    private CancellationTokenSource Soon() => new(TimeSpan.FromMilliseconds(1 + _random.Next(20)));

    private void RestSometimes(int oneIn)
    {
        if (_random.Next(oneIn) == 0)
        {
            Thread.Sleep(1);
        }
    }

    private static bool IsAfter(long time) => Stopwatch.GetTimestamp() > time;

    private static void Say(string line)
    {
        Console.Out.WriteLine(line);
        Console.Out.Flush();
    }

    public void Dispose() => _log.Dispose();
}
