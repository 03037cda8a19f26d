using static BlitQueue.Peer.StandardOutput;

namespace BlitQueue.Peer;

/// <summary>
/// A client whose threads and tasks call in all ways, with short and long messages. Its log has how each call ended. When the input ends it
/// comes to rest; then it looks whether as many calls can be open as before.
/// </summary>
internal sealed class RpcMixer(Arguments arguments, CancellationTokenSource inputEnded) : IDisposable
{
    /// <summary>How a call ended, in its line of the log.</summary>
    public const string Answered = "answered", Sent = "sent", NotTaken = "not-taken", Unknown = "unknown";

    // Only a call that hangs takes so long.
    private static readonly TimeSpan Hang = TimeSpan.FromSeconds(40);

    private readonly RpcLog _log = new(arguments.LogPath);
    private readonly int _producer = (int)arguments.Number("producer", 1), _cells = (int)arguments.Number("cells", 8);
    private readonly int _longest = (int)arguments.Number("longest", 3_000_000);
    private readonly RpcClient<Parcel, Parcel> _client = RpcClient<Parcel, Parcel>.OpenFile(
        arguments.Directory,
        new RpcClientOptions
        {
            CallsInFlight = (int)arguments.Number("cells", 8), Blocks = (int)arguments.Number("blocks", 2), Timeout = Hang,
        });

    private long _number;

    public void Run()
    {
        Say("ready");
        Task[] all = [.. Enumerable.Range(0, 4).Select(CallOnThread), .. Enumerable.Range(4, 8).Select(CallOnPoolAsync)];
        Task.WaitAll(all);
        RpcStatistics counted = _client.GetStatistics();
        Require(
            counted.InFlight == 0 && counted.Failed == 0 && counted.Calls == counted.Answers + counted.Faults + counted.TimedOut
                + counted.Cancelled + counted.PeersLost,
            $"all calls have ended, and {counted} is counted");
        Say($"calm after {counted.Calls}");
        SpinWait.SpinUntil(() => File.Exists(arguments.LogPath + ".check"), Hang);
        RequireCells();
        Say("ended");
    }

    // Nobody serves now: as many calls stay open as there are cells.
    private void RequireCells()
    {
        using var end = new CancellationTokenSource();
        Task[] calls =
        [
            .. Enumerable.Range(0, _cells + 1).Select(_ => _client.CallAsync(
                new Parcel().Fill(_producer, Interlocked.Increment(ref _number), 1), cancellationToken: end.Token).AsTask()),
        ];
        bool isWhole = SpinWait.SpinUntil(() => _client.GetStatistics().InFlight == _cells, TimeSpan.FromSeconds(5));
        Require(isWhole, $"{_client.GetStatistics().InFlight} of {_cells} cells are left");
        end.Cancel();
        Task.WhenAll(calls).ContinueWith(static _ => { }, TaskScheduler.Default).Wait();
    }

    private Task CallOnThread(int worker) => Task.Factory.StartNew(
        () =>
        {
            var random = new Random(worker + _producer);
            Parcel? reply = null;
            while (!inputEnded.IsCancellationRequested)
            {
                long number = Interlocked.Increment(ref _number);
                End(number, random, patience => CallOnce(number, random, ref reply, patience));
            }
        },
        TaskCreationOptions.LongRunning);

    private string CallOnce(long number, Random random, ref Parcel? reply, CancellationTokenSource patience)
    {
        var deal = new RpcDeal(_producer, number, _longest);
        Parcel request = deal.Request(new Parcel());
        switch (random.Next(6))
        {
            case 0:
                _client.Send(in request, patience.Token);
                return Sent;
            case 1:
                using (RpcReplyBytes bytes = _client.CallForBytes(in request, patience.Token))
                {
                    Packer.Unpack(bytes.Span, ref reply);
                    // The bytes are this caller's until now.
                    Parcel? again = null;
                    Packer.Unpack(bytes.Span, ref again);
                    RequireReply(deal, again, number);
                }
                break;
            case 2:
                patience.Cancel();
                _client.Call(in request, ref reply, TimeSpan.FromMilliseconds(random.Next(1, 50)), CancellationToken.None);
                break;
            default:
                _client.Call(in request, ref reply, patience.Token);
                break;
        }
        RequireReply(deal, reply, number);
        return Answered;
    }

    private async Task CallOnPoolAsync(int worker)
    {
        await Task.Yield();
        var random = new Random(worker + _producer);
        while (!inputEnded.IsCancellationRequested)
        {
            long number = Interlocked.Increment(ref _number);
            await EndAsync(number, random, patience => CallOnceAsync(number, random, patience));
        }
    }

    private async Task<string> CallOnceAsync(long number, Random random, CancellationTokenSource patience)
    {
        var deal = new RpcDeal(_producer, number, _longest);
        Parcel request = deal.Request(new Parcel());
        Parcel reply;
        switch (random.Next(6))
        {
            case 0:
                await _client.SendAsync(request, patience.Token);
                return Sent;
            case 1:
                ValueTask<Parcel> call = _client.CallAsync(request, cancellationToken: patience.Token);
                await Task.Delay(random.Next(200));
                reply = await call;
                break;
            case 2:
                patience.Cancel();
                reply = await _client.CallAsync(request, timeout: TimeSpan.FromMilliseconds(random.Next(1, 50)));
                break;
            default:
                reply = await _client.CallAsync(request, cancellationToken: patience.Token);
                break;
        }
        RequireReply(deal, reply, number);
        return Answered;
    }

    private static void RequireReply(RpcDeal deal, Parcel? reply, long number) => Require(
        reply is not null && !deal.IsFault && deal.IsReply(reply), $"{number} was answered by {reply?.Producer}.{reply?.Number}");

    private void End(long number, Random random, Func<CancellationTokenSource, string> call) =>
        EndAsync(number, random, patience => Task.FromResult(call(patience))).GetAwaiter().GetResult();

    // Every fifth call is given up at any moment.
    private async Task EndAsync(long number, Random random, Func<CancellationTokenSource, Task<string>> call)
    {
        using var patience = new CancellationTokenSource();
        if (random.Next(5) == 0)
        {
            patience.CancelAfter(random.Next(40));
        }
        string end = Unknown;
        try
        {
            end = await call(patience);
        }
        catch (RpcFaultException fault)
        {
            Require(
                fault.Message.Contains($"fault {_producer}.{number}.", StringComparison.Ordinal), $"{number} has another's fault: {fault}");
            end = Answered;
        }
        catch (PeerLostException lost)
        {
            end = lost.WasTaken ? Unknown : NotTaken;
        }
        catch (RpcTimeoutException late)
        {
            Require(patience.IsCancellationRequested, $"{number} hangs: {late}");
            end = late.WasTaken ? Unknown : NotTaken;
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
        }
        catch (Exception exception)
        {
            Require(false, $"{number}: {exception}");
        }
        _log.Note($"{number} {end}");
    }

    public void Dispose()
    {
        _client.Dispose();
        _log.Dispose();
    }
}
