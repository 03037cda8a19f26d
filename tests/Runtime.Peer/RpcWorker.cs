using static BlitQueue.Peer.StandardOutput;

namespace BlitQueue.Peer;

/// <summary>What this process can be told to do on a channel of calls, whose file is where a queue's directory would be.</summary>
/// <param name="arguments">The command and its options.</param>
/// <param name="inputEnded">Cancelled when the process is told to come to an end.</param>
internal sealed class RpcWorker(Arguments arguments, CancellationTokenSource inputEnded)
{
    public const string Prefix = "rpc-";

    private readonly int _size = (int)arguments.Number("size", 100);
    private readonly int _count = (int)arguments.Number("count", int.MaxValue);

    public void Run()
    {
        try
        {
            RunAsync().GetAwaiter().GetResult();
        }
        catch (OperationCanceledException) when (inputEnded.IsCancellationRequested)
        {
        }
    }

    private Task RunAsync() => arguments.Command[Prefix.Length..] switch
    {
        "serve" => ServeAsync(Echo),
        "hang" => ServeAsync(HangAsync),
        "stream" => StreamAsync(),
        "spin" => Task.Run(ServeOnThread),
        "call" => CallAsync(),
        "call-hanging" => CallHangingAsync(),
        "begin" => BeginAsync(),
        "give-up" => GiveUpAsync(),
        "crew" => Task.Run(Crew),
        "mix" => Task.Run(Mix),
        _ => throw new ArgumentException($"No command is named {arguments.Command}."),
    };

    // The parcel of the same number, with as many bytes as the option says.
    private ValueTask<Parcel> Echo(Parcel request, RpcContext context) =>
        new(new Parcel().Fill(request.Producer, request.Number, (int)arguments.Number("reply", request.Length)));

    // Says which call it has, and whether its token was cancelled.
    private static async ValueTask<Parcel> HangAsync(Parcel request, RpcContext context)
    {
        Say($"took {request.Number}.");
        try
        {
            await Task.Delay(Timeout.Infinite, context.CancellationToken);
        }
        catch (OperationCanceledException)
        {
            Say($"cancelled {request.Number}.");
            throw;
        }
        return request;
    }

    private async Task ServeAsync(Func<Parcel, RpcContext, ValueTask<Parcel>> handler)
    {
        using var server = RpcServer<Parcel, Parcel>.OpenFile(arguments.Directory);
        Task serving = server.ServeAsync(handler, inputEnded.Token);
        Say("ready");
        try
        {
            await serving;
        }
        finally
        {
            SayCount(server.GetStatistics());
        }
    }

    private void ServeOnThread()
    {
        using var server = RpcServer<Parcel, Parcel>.OpenFile(arguments.Directory);
        Say("ready");
        try
        {
            server.Serve((Parcel request, Parcel? reuse, RpcContext _) => (reuse ?? new Parcel()).Fill(
                request.Producer, request.Number, (int)arguments.Number("reply", request.Length)), inputEnded.Token);
        }
        finally
        {
            SayCount(server.GetStatistics());
        }
    }

    private void Crew()
    {
        using var crew = new RpcCrew(arguments, inputEnded);
        crew.Run();
    }

    private void Mix()
    {
        using var mixer = new RpcMixer(arguments, inputEnded);
        mixer.Run();
    }

    // To a caller that asks for it.
    private void SayCount(RpcStatistics counted)
    {
        if (arguments.Number("counts", 0) != 0)
        {
            Say($"answered {counted.Answers}");
        }
    }

    private async Task StreamAsync()
    {
        using var server = RpcServer<Parcel, Parcel>.OpenFile(arguments.Directory);
        Task serving = server.ServeStreamAsync((request, _) => CountAsync(request), inputEnded.Token);
        Say("ready");
        await serving;
    }

    private async IAsyncEnumerable<Parcel> CountAsync(Parcel request)
    {
        for (long number = 0; number < request.Number; number++)
        {
            await Task.Yield();
            yield return new Parcel().Fill(request.Producer, number, _size);
        }
    }

    // Each call must get its own answer.
    private async Task CallAsync()
    {
        using var client = RpcClient<Parcel, Parcel>.OpenFile(arguments.Directory);
        Say("ready");
        int atOnce = (int)arguments.Number("at-once", 16), producer = Environment.ProcessId, lost = 0;
        await Parallel.ForAsync(
            0, _count, new ParallelOptions { MaxDegreeOfParallelism = atOnce, CancellationToken = inputEnded.Token },
            async (number, token) =>
            {
                try
                {
                    Parcel reply = await client.CallAsync(
                        new Parcel().Fill(producer, number, _size), cancellationToken: token);
                    if (reply.Producer != producer || reply.Number != number || !reply.IsIntact())
                    {
                        throw new InvalidOperationException($"Call {number} was answered by {reply.Producer} {reply.Number}.");
                    }
                }
                catch (PeerLostException)
                {
                    Interlocked.Increment(ref lost);
                }
            });
        Say($"called {_count}, lost {lost}");
    }

    private async Task CallHangingAsync()
    {
        using var client = RpcClient<Parcel, Parcel>.OpenFile(arguments.Directory);
        Task<Parcel>[] calls =
        [
            .. Enumerable.Range(0, Math.Min(_count, 64)).Select(number => client.CallAsync(
                new Parcel().Fill(1, number, _size), timeout: Timeout.InfiniteTimeSpan).AsTask()),
        ];
        Say("calling");
        await Task.WhenAll(calls);
    }

    // Begins calls, and says how each ended, in their order.
    private async Task BeginAsync()
    {
        using var client = RpcClient<Parcel, Parcel>.OpenFile(arguments.Directory);
        var timeout = TimeSpan.FromMilliseconds(arguments.Number("timeout", -1));
        Task<Parcel>[] calls =
        [
            .. Enumerable.Range(0, Math.Min(_count, 64)).Select(number => client.CallAsync(
                new Parcel().Fill(Environment.ProcessId, number, _size), timeout: timeout).AsTask()),
        ];
        Say("calling");
        for (int number = 0; number < calls.Length; number++)
        {
            Say($"{await EndOfAsync(calls[number], number)} {number}.");
        }
    }

    private static async Task<string> EndOfAsync(Task<Parcel> call, int number)
    {
        try
        {
            Parcel reply = await call;
            bool isMine = (reply.Producer, reply.Number) == (Environment.ProcessId, number);
            return isMine && reply.IsIntact() ? "answered" : $"wrong: {reply.Producer} {reply.Number}";
        }
        catch (QueueException exception)
        {
            return exception.GetType().Name;
        }
    }

    // Calls that nobody answers, one after the other.
    private async Task GiveUpAsync()
    {
        using var client = RpcClient<Parcel, Parcel>.OpenFile(arguments.Directory);
        for (int number = 0; number < _count; number++)
        {
            using var patience = CancellationTokenSource.CreateLinkedTokenSource(inputEnded.Token);
            patience.CancelAfter(TimeSpan.FromMilliseconds(30));
            try
            {
                await client.CallAsync(
                    new Parcel().Fill(1, number, _size), timeout: Timeout.InfiniteTimeSpan, cancellationToken: patience.Token);
            }
            catch (OperationCanceledException) when (!inputEnded.IsCancellationRequested)
            {
            }
        }
    }
}
