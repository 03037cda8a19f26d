using static BlitQueue.Peer.StandardOutput;

namespace BlitQueue.Peer;

/// <summary>
/// Threads that serve with one server, which is closed and opened again now and then, in one of the two ways. Their log has each call that
/// a handler has seen.
/// </summary>
internal sealed class RpcCrew(Arguments arguments, CancellationTokenSource inputEnded) : IDisposable
{
    // Only a hang takes so long.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(40);

    private readonly RpcLog _log = new(arguments.LogPath);
    private readonly int _longest = (int)arguments.Number("longest", 3_000_000);
    private readonly Random _random = new((int)arguments.Number("seed", 1));

    public void Run()
    {
        while (!inputEnded.IsCancellationRequested)
        {
            using var server = RpcServer<Parcel, Parcel>.OpenFile(
                arguments.Directory, new RpcServerOptions { Concurrency = (int)arguments.Number("concurrency", 64) });
            using var end = new CancellationTokenSource();
            Task[] all =
            [
                .. Enumerable.Range(0, (int)arguments.Number("threads", 2)).Select(thread => Task.Factory.StartNew(
                    () => Serve(server, thread % 2 == 0, end.Token), TaskCreationOptions.LongRunning)),
            ];
            Say("ready");
            inputEnded.Token.WaitHandle.WaitOne(arguments.Number("reopens", 1) == 0 ? -1 : _random.Next(20, 600));
            bool isDisposed = !inputEnded.IsCancellationRequested && _random.Next(2) == 0;
            if (isDisposed)
            {
                server.Dispose();
            }
            end.Cancel();
            Require(Task.WaitAll(all, Patience), $"a thread does not end after {(isDisposed ? "a dispose" : "its token")}");
            RequireEnd(server.GetStatistics());
        }
        Say("ended");
    }

    private static void RequireEnd(RpcStatistics all) => Require(
        all.InFlight == 0 && all.Calls == all.Answers + all.Faults + all.TimedOut + all.Cancelled + all.PeersLost + all.Failed,
        $"no thread serves any more, and {all} is counted");

    private void Serve(RpcServer<Parcel, Parcel> server, bool inBytes, CancellationToken cancellationToken)
    {
        try
        {
            if (inBytes)
            {
                server.ServeBytes(AnswerBytes, cancellationToken);
            }
            else
            {
                server.Serve(Answer, cancellationToken);
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or ObjectDisposedException)
        {
        }
    }

    private Parcel AnswerBytes(ReadOnlySpan<byte> request, Parcel? reuse, RpcContext context)
    {
        Parcel? read = null;
        Packer.Unpack(request, ref read);
        return Answer(read!, reuse, context);
    }

    private Parcel Answer(Parcel request, Parcel? reuse, RpcContext context)
    {
        var deal = new RpcDeal(request.Producer, request.Number, _longest);
        if (!deal.IsRequest(request))
        {
            Say($"WRONG: {request.Producer}.{request.Number} of {request.Length} bytes came to a handler");
        }
        _log.Note($"{request.Producer} {request.Number}");
        if (deal.IsFault)
        {
            throw new InvalidOperationException($"fault {request.Producer}.{request.Number}.");
        }
        return deal.Reply(reuse ?? new Parcel());
    }

    public void Dispose() => _log.Dispose();
}
