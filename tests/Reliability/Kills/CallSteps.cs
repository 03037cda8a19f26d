using BlitQueue.Log;
using BlitQueue.Peer;
using BlitQueue.Tests.Processes;
using static BlitQueue.Reliability.Kills.StepCase;

namespace BlitQueue.Reliability.Kills;

/// <summary>Deaths at the steps of calls: the other side is told, nothing of the dead is left, and the next calls are answered.</summary>
internal static class CallSteps
{
    private const string File = "calls";

    // Only a call that hangs takes so long.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    public static IEnumerable<StepCase> Cases() =>
    [
        .. Of("call", [ProtocolStep.CallFileMade, ProtocolStep.CallQueued], Call),
        .. Of("call that is given up", [ProtocolStep.CallAbandoned], GiveUp),
        .. Of(
            "answer",
            [ProtocolStep.CallHintCleared, ProtocolStep.CallTaken, ProtocolStep.CallAnswered, ProtocolStep.CallReplied], Answer),
    ];

    private static bool Call(StepPlay play, ProtocolStep step) =>
        DieBeside(play, step, "rpc-call", static (request, _) => new ValueTask<Parcel>(request));

    private static bool GiveUp(StepPlay play, ProtocolStep step) => DieBeside(play, step, "rpc-give-up", static async (request, call) =>
    {
        if (request.Producer != 0)
        {
            await Task.Delay(Timeout.Infinite, call.CancellationToken);
        }
        return request;
    });

    // A client dies beside a server of this process.
    private static bool DieBeside(
        StepPlay play, ProtocolStep step, string command, Func<Parcel, RpcContext, ValueTask<Parcel>> handler)
    {
        using var end = new CancellationTokenSource();
        using var server = RpcServer<Parcel, Parcel>.OpenFile(PathOf(play));
        Task serving = server.ServeAsync(handler, end.Token);
        bool died = play.Die(new Job(command) { Queue = File, Options = ["count=20"] }, step);
        using (RpcClient<Parcel, Parcel> client = Open(play))
        {
            CallOnce(play, client, 1);
        }
        RequireNothingLeft(play);
        end.Cancel();
        play.Trial.Require(Task.WaitAny([serving], Patience) == 0, "a handler of a dead client's call was not told");
        return died;
    }

    // A server dies, which a client of this process calls.
    private static bool Answer(StepPlay play, ProtocolStep step)
    {
        using var end = new CancellationTokenSource();
        bool died;
        using (RpcClient<Parcel, Parcel> client = Open(play))
        {
            var calling = Task.Run(() =>
            {
                for (long number = 0; !end.IsCancellationRequested; number++)
                {
                    CallOnce(play, client, number);
                }
            });
            died = play.Die(new Job("rpc-serve") { Queue = File }, step);
            using var server = RpcServer<Parcel, Parcel>.OpenFile(PathOf(play));
            Task serving = server.ServeAsync(static (request, _) => new ValueTask<Parcel>(request), end.Token);
            play.Trial.Require(client.Call(new Parcel().Fill(0, 7, 100)).Number == 7, "the successor gave another call's answer");
            end.Cancel();
            play.Trial.Require(Task.WaitAny([calling], Patience) == 0, "a call of a dead server hangs");
            play.Trial.Require(Task.WaitAny([serving], Patience) == 0, "the successor does not end");
        }
        RequireNothingLeft(play);
        return died;
    }

    private static void CallOnce(StepPlay play, RpcClient<Parcel, Parcel> client, long number)
    {
        try
        {
            Parcel reply = client.Call(new Parcel().Fill(0, number, 100));
            play.Trial.Require(reply.Number == number && reply.IsIntact(), $"call {number} was answered by {reply.Number}");
        }
        catch (PeerLostException)
        {
            // The server died with it.
        }
        catch (RpcTimeoutException late)
        {
            play.Trial.Violate($"call {number} hung: {late.Message}");
        }
    }

    private static RpcClient<Parcel, Parcel> Open(StepPlay play) =>
        RpcClient<Parcel, Parcel>.OpenFile(PathOf(play), new RpcClientOptions { Timeout = Patience });

    private static void RequireNothingLeft(StepPlay play) => play.Trial.Require(
        SpinWait.SpinUntil(() => Directory.GetFiles(play.Trial.Root, "." + File + ".*").Length == 0, Patience),
        "a file of calls is left over");

    private static string PathOf(StepPlay play) => Path.Combine(play.Trial.Root, File);
}
