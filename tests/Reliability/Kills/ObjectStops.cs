using System.Collections.Concurrent;
using BlitQueue.Log;
using BlitQueue.Peer;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>One step of a shared object or a call at which a process is stopped.</summary>
/// <param name="Name">What it was doing.</param>
/// <param name="Step">Where it stops.</param>
/// <param name="Play">Stops it there, looks at what the others can do, and lets it go on.</param>
internal sealed record StopCase(string Name, ProtocolStep Step, Action<StopPlay, Trial, ProtocolStep> Play);

/// <summary>
/// Stops at the steps of shared objects and calls: a stopped process keeps its lock or its call, is named to a process that waits for it,
/// and delays no other.
/// </summary>
internal static class ObjectStops
{
    private const string Object = "object";

    // Longer than a call or a lock takes that no process delays; a wait for what a stopped process has ends with it.
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(500);

    // Only a hang takes so long.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    public static IReadOnlyList<StopCase> All { get; } =
    [
        .. Of("shared value", Value, [.. Steps.Named("SharedValue", "SharedLock")]),
        .. Of("shared array", Array, ProtocolStep.SharedReaderCounted, ProtocolStep.SharedWriterAlone),
        .. Of("making", Make, Steps.Named("SharedFile")),
        .. Of("call", Client, ProtocolStep.CallFileMade, ProtocolStep.CallQueued, ProtocolStep.CallAbandoned),
        .. Of(
            "answer", Server,
            ProtocolStep.CallHintCleared, ProtocolStep.CallTaken, ProtocolStep.CallAnswered, ProtocolStep.CallReplied),
    ];

    private static IEnumerable<StopCase> Of(string name, Action<StopPlay, Trial, ProtocolStep> play, params ProtocolStep[] steps) =>
        steps.Select(step => new StopCase(name, step, play));

    private static string PathOf(Trial trial) => Path.Combine(trial.Root, Object);

    private static Job Job(string command) => new(command) { Queue = Object, Options = ["count=20"] };

    // A writer's n-th value has the number n.
    private static void Value(StopPlay play, Trial trial, ProtocolStep step)
    {
        bool takesOver = step == ProtocolStep.SharedLockTakenOver;
        if (takesOver)
        {
            trial.NoteDeath(trial.Employ(Job("shared-write"), $"{ProtocolStep.SharedLockAcquired}:1:kill"));
        }
        Worker writer = play.StopAt(trial, Job("shared-write"), step, takesOver ? 1 : play.Random.Next(1, 8));
        using var value = SharedValue<SharedBlock>.OpenFile(PathOf(trial));
        SharedBlock there = value.Read(out long version);
        trial.Require(there.IsWhole() && there.Number == version, $"version {version} of the value is {there.Number}, or parts of two");
        bool isHeld = step != ProtocolStep.SharedLockReleased;
        RequireTimeOut(trial, isHeld ? writer : null, limit => value.Write(SharedBlock.Of(version + 1), limit));
        StopPlay.GoOn(trial, writer);
        value.Update(static block => SharedBlock.Of(block.Number + 1));
        there = value.Read(out version);
        trial.Require(there.IsWhole() && there.Number == version, $"afterwards version {version} is {there.Number}, or parts of two");
    }

    private static void Array(StopPlay play, Trial trial, ProtocolStep step)
    {
        bool reads = step == ProtocolStep.SharedReaderCounted;
        using var array = SharedArray<long>.OpenFile(PathOf(trial), 2);
        Worker other = play.StopAt(trial, Job(reads ? "shared-hold-read" : "shared-count"), step, reads ? 1 : play.Random.Next(1, 8));
        RequireTimeOut(trial, other, limit => array.AcquireWrite(limit).Dispose());
        RequireTimeOut(trial, reads ? null : other, limit => array.AcquireRead(limit).Dispose());
        StopPlay.GoOn(trial, other);
        using SharedLockScope scope = array.AcquireWrite(Patience);
        trial.Require(array[0] == array[1] && !scope.WasAbandoned, $"{array[0]} and {array[1]} do not fit, or a death was told");
    }

    // A process that makes the object delays no other, and joins what is there when it goes on.
    private static void Make(StopPlay play, Trial trial, ProtocolStep step)
    {
        Worker maker = play.StopAt(trial, Job("shared-write"), step, 1);
        using (var value = SharedValue<SharedBlock>.OpenFile(PathOf(trial)))
        {
            value.Write(SharedBlock.Of(value.Version + 1), Patience);
        }
        StopPlay.GoOn(trial, maker);
        using var left = SharedValue<SharedBlock>.OpenFile(PathOf(trial));
        SharedBlock there = left.Read(out long version);
        trial.Require(there.IsWhole() && there.Number == version, $"two objects were made: version {version} is {there.Number}");
    }

    // The process that has what is waited for is named; null: no process has it.
    private static void RequireTimeOut(Trial trial, Worker? holder, Action<TimeSpan> wait)
    {
        try
        {
            wait(holder is null ? Patience : Short);
            trial.Require(holder is null, "a stopped process lost its lock");
        }
        catch (SharedLockTimeoutException exception)
        {
            trial.Require(
                holder is not null && exception.ProcessId == holder.Peer.Id,
                $"no stopped process has it, or another one: {exception.Message}");
        }
    }

    // A client is stopped beside another one and a server, both of this process.
    private static void Client(StopPlay play, Trial trial, ProtocolStep step)
    {
        using var end = new CancellationTokenSource();
        using var server = RpcServer<Parcel, Parcel>.OpenFile(PathOf(trial));
        bool givesUp = step == ProtocolStep.CallAbandoned;
        Task serving = server.ServeAsync((request, call) => EchoAsync(request, givesUp ? call.CancellationToken : default), end.Token);
        Worker worker = play.StopAt(
            trial, Job(givesUp ? "rpc-give-up" : "rpc-call"), step, step == ProtocolStep.CallFileMade ? 1 : play.Random.Next(1, 8));
        using (RpcClient<Parcel, Parcel> client = Open(trial, Patience))
        {
            for (int number = 0; number < 20; number++)
            {
                RequireOwn(trial, client.Call(Of(number)), number);
            }
        }
        StopPlay.GoOn(trial, worker);
        end.Cancel();
        trial.Require(Task.WaitAny([serving], Patience) == 0, "a handler of a stopped client's call does not end");
    }

    // Other clients than those of this process give up; these have the producer 0.
    private static async ValueTask<Parcel> EchoAsync(Parcel request, CancellationToken givenUp)
    {
        if (request.Producer != 0 && givenUp.CanBeCanceled)
        {
            await Task.Delay(Timeout.Infinite, givenUp);
        }
        return request;
    }

    // A server is stopped; the call that it has ends by its time, which names the server, and the others are answered by another one.
    private static void Server(StopPlay play, Trial trial, ProtocolStep step)
    {
        using var end = new CancellationTokenSource();
        using RpcClient<Parcel, Parcel> client = Open(trial, Patience), impatient = Open(trial, Short);
        var late = new LateCalls();
        var calling = Task.Run(() => CallUntil(trial, impatient, late, end.Token));
        Worker worker = play.StopAt(trial, new Job("rpc-serve") { Queue = Object }, step, play.Random.Next(1, 8));
        long stoppedIn = late.Current;
        using var server = RpcServer<Parcel, Parcel>.OpenFile(PathOf(trial));
        using var endServing = new CancellationTokenSource();
        Task serving = server.ServeAsync(static (request, _) => new ValueTask<Parcel>(request), endServing.Token);
        RequireOwn(trial, client.Call(Of(7)), 7);
        bool isTaken = step is ProtocolStep.CallTaken or ProtocolStep.CallAnswered;
        trial.Require(
            !isTaken || SpinWait.SpinUntil(() => late.TakenBy(worker).Any(), Patience),
            "no call ends of which is said that the stopped server has it");
        end.Cancel();
        trial.Require(Task.WaitAny([calling], Patience) == 0, "a call of a stopped server hangs");
        foreach ((long number, RpcTimeoutException one) in late.TakenBy(worker))
        {
            // A call that began before may have been taken by another thread of the server that was stopped.
            trial.Require(isTaken || number <= stoppedIn, $"the stopped server has not taken call {number}: {one.Message}");
        }
        StopPlay.GoOn(trial, worker);
        RequireOwn(trial, client.Call(Of(8)), 8);
        endServing.Cancel();
        trial.Require(Task.WaitAny([serving], Patience) == 0, "the other server does not end");
    }

    private static void CallUntil(Trial trial, RpcClient<Parcel, Parcel> client, LateCalls late, CancellationToken end)
    {
        for (long number = 0; !end.IsCancellationRequested; number++)
        {
            late.Current = number;
            try
            {
                RequireOwn(trial, client.Call(Of(number)), number);
            }
            catch (RpcTimeoutException exception)
            {
                late.Add(number, exception);
            }
        }
    }

    private static Parcel Of(long number) => new Parcel().Fill(0, number, 100);

    private static void RequireOwn(Trial trial, Parcel reply, long number) =>
        trial.Require(reply.Number == number && reply.IsIntact(), $"call {number} was answered by {reply.Number}");

    private static RpcClient<Parcel, Parcel> Open(Trial trial, TimeSpan timeout) =>
        RpcClient<Parcel, Parcel>.OpenFile(PathOf(trial), new RpcClientOptions { Timeout = timeout });

    // Calls, one after the other, of which some end by their time.
    private sealed class LateCalls
    {
        private readonly ConcurrentQueue<(long Number, RpcTimeoutException Exception)> _late = new();
        private long _current;

        /// <summary>The call that is made now.</summary>
        public long Current
        {
            get => Volatile.Read(ref _current);
            set => Volatile.Write(ref _current, value);
        }

        public void Add(long number, RpcTimeoutException exception) => _late.Enqueue((number, exception));

        /// <summary>Those of which is said that this server has them. A server that runs is late, too, where the machine is busy.</summary>
        public IEnumerable<(long Number, RpcTimeoutException Exception)> TakenBy(Worker server) =>
            _late.Where(one => one.Exception.WasTaken && one.Exception.ProcessId == server.Peer.Id);
    }
}
