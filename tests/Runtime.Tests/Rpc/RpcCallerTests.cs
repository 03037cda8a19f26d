using System.Reflection;
using BlitQueue.Calls;
using BlitQueue.Log;
using BlitQueue.Platform;

namespace BlitQueue.Tests.Processes;

/// <summary>What a caller does with its own call, and what its system refuses it, is no harm to the other calls of its client.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcCallerTests : IDisposable
{
    // Longer than any block, so that the client's pump has to move it.
    private const int Long = 3_000_000;

    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    private RpcClient<Parcel, Parcel> Open(RpcClientOptions? options = null) => RpcClient<Parcel, Parcel>.OpenFile(File, options);

    private Serving EchoOnThread() => new(File, static (Parcel request, Parcel? _, RpcContext _) => request);

    private static Parcel Of(long number, int length = 100) => new Parcel().Fill(1, number, length);

    private static void RequireSame(Parcel asked, Parcel answered)
    {
        Assert.Equal((asked.Producer, asked.Number, asked.Length), (answered.Producer, answered.Number, answered.Length));
        Assert.True(answered.IsIntact());
    }

    private static void AwaitNone(RpcClient<Parcel, Parcel> client) =>
        Assert.True(
            SpinWait.SpinUntil(() => client.GetStatistics().InFlight == 0, Peer.Patience), $"{client.GetStatistics().InFlight} in flight");

    [Fact]
    public void A_callers_context_that_refuses_to_go_on_stops_no_other_call()
    {
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var server = new Serving(File, async (request, _) =>
        {
            await release.Task;
            return request;
        });
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 2, Timeout = Timeout.InfiniteTimeSpan });
        for (int number = 0; number < 4; number++)
        {
            var caller = new Thread(() =>
            {
                SynchronizationContext.SetSynchronizationContext(new ClosedContext());
                client.CallAsync(Of(number)).GetAwaiter().OnCompleted(static () => { });
            });
            caller.Start();
            caller.Join();
            if (number == 0)
            {
                release.SetResult();
            }
            RequireSame(Of(number, Long), Soon.Of(client.CallAsync(Of(number, Long)).AsTask()));
        }
        AwaitNone(client);
    }

    /// <summary>As a window's context does that was closed.</summary>
    private sealed class ClosedContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => throw new InvalidOperationException("closed");
    }

    [Fact]
    public void Calls_may_be_awaited_in_any_order_although_there_are_more_than_cells()
    {
        using Serving server = EchoOnThread();
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 4, Blocks = 2 });
        int[] lengths = [0, 100, 1000, 10_000, 500_000];
        for (int round = 0; round < 3; round++)
        {
            ValueTask<Parcel>[] calls = [.. Enumerable.Range(0, 40).Select(number => client.CallAsync(Of(number, lengths[number % 4])))];
            for (int number = calls.Length - 1; number >= 0; number--)
            {
                RequireSame(Of(number, lengths[number % 4]), Soon.Of(calls[number].AsTask()));
            }
        }
        AwaitNone(client);
    }

    [Fact]
    public void A_thread_that_calls_makes_no_object_for_a_call()
    {
        using Serving server = EchoOnThread();
        using RpcClient<Parcel, Parcel> client = Open();
        Parcel request = Of(1);
        Parcel? reply = null;
        long least = long.MaxValue;
        // In most rounds the watch does not come by; what it has found is not used again.
        for (int round = 0; round < 50 && least > 0; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int call = 0; call < 20; call++)
            {
                client.Call(in request, ref reply);
                client.Send(in request);
            }
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }
        Assert.Equal(0, least);
        RequireSame(request, reply!);
    }

    // What each call sets when it begins, and what belongs to the object.
    private static readonly string[] Begun =
    [
        "Index", "Words", "Marks", "Blocks", "RequestLength", "Number", "Deadline", "Timeout", "Began", "ServersGone", "Attempts", "_sync",
        "_signal",
    ];

    [Theory]
    [InlineData(100, false)]
    [InlineData(500_000, false)]
    [InlineData(Long, false)]
    [InlineData(100, true)]
    public void A_call_that_is_used_again_is_like_a_new_one(int length, bool isOneWay)
    {
        using Serving server = EchoOnThread();
        using var core = new RpcClientCore(
            RpcChannel.Open(File, RpcTypes<Parcel, Parcel>.Layout, default, default), new RpcClientOptions().Checked(), default);
        FieldInfo[] fields = typeof(RpcClientCall).GetFields(BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public);
        var client = (RpcClient<Parcel, Parcel>)Activator.CreateInstance(
            typeof(RpcClient<Parcel, Parcel>), BindingFlags.Instance | BindingFlags.NonPublic, null, [core, new RpcClientOptions()], null)!;
        RpcClientCall fresh = core.NewCall();
        for (int call = 0; call < 100; call++)
        {
            Parcel request = Of(call, length);
            if (isOneWay)
            {
                client.Send(in request);
            }
            else
            {
                RequireSame(request, client.Call(in request));
            }
            RpcClientCall next = core.NewCall();
            Assert.All(
                fields.Where(static field => !Begun.Any(field.Name.Contains)),
                field => Assert.Equal(field.GetValue(fresh), field.GetValue(next)));
            // As a call has them that was answered soon.
            (next.Ended, next.IsQueued, next.IsBegun) = (1, true, true);
            core.Reuse(next);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(500_000)]
    [InlineData(Long)]
    public async Task A_request_may_be_changed_once_the_call_has_returned_although_it_waits_for_a_cell(int length)
    {
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var sent = new TaskCompletionSource<Parcel>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var server = new Serving(File, async (request, _) =>
        {
            await release.Task;
            if (request.Number == 3)
            {
                sent.SetResult(request);
            }
            return request;
        });
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 1 });
        ValueTask<Parcel> first = client.CallAsync(Of(1));
        Parcel asked = Of(2, length), told = Of(3, length);
        ValueTask<Parcel> second = client.CallAsync(asked);
        ValueTask third = client.SendAsync(told);
        asked.Fill(7, 7, 7);
        told.Fill(7, 7, 7);
        release.SetResult();
        RequireSame(Of(1), await first);
        RequireSame(Of(2, length), Soon.Of(second.AsTask()));
        Soon.Of(third.AsTask());
        RequireSame(Of(3, length), Soon.Of(sent.Task));
    }

    [Fact]
    public async Task A_request_of_no_bytes_is_packed_once_too_although_it_waits_for_a_cell()
    {
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using RpcServer<MaybeNothing, MaybeNothing> server = EchoAfter(release.Task);
        using RpcClient<MaybeNothing, MaybeNothing> client = OpenOfOneCell();
        ValueTask<MaybeNothing> first = client.CallAsync(new MaybeNothing { Number = 1 });
        var nothing = new MaybeNothing();
        ValueTask<MaybeNothing> second = client.CallAsync(nothing);
        nothing.Number = 2;
        release.SetResult();
        Assert.Equal((1, 0), ((await first).Number, Soon.Of(second.AsTask()).Number));
    }

    [Fact]
    public async Task Requests_that_are_packed_at_the_same_time_while_they_wait_for_a_cell_are_each_its_own_call_s()
    {
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using RpcServer<MaybeNothing, MaybeNothing> server = EchoAfter(release.Task);
        using RpcClient<MaybeNothing, MaybeNothing> client = OpenOfOneCell();
        ValueTask<MaybeNothing> first = client.CallAsync(new MaybeNothing { Number = 1 });
        using var together = new Barrier(2);
        Task<Task<MaybeNothing>>[] begun = [.. Enumerable.Range(2, 2).Select(number => Task.Factory.StartNew(
            () => client.CallAsync(new MaybeNothing { Number = number, Packing = together }).AsTask(), TaskCreationOptions.LongRunning))];
        Soon.Of(begun);
        release.SetResult();
        Assert.Equal((1, 2, 3), ((await first).Number, Soon.Of(await begun[0]).Number, Soon.Of(await begun[1]).Number));
    }

    private RpcServer<MaybeNothing, MaybeNothing> EchoAfter(Task release)
    {
        var server = RpcServer<MaybeNothing, MaybeNothing>.OpenFile(File);
        // It ends when the server is disposed.
        _ = server.ServeAsync(async (request, _) =>
        {
            await release;
            return request;
        });
        return server;
    }

    private RpcClient<MaybeNothing, MaybeNothing> OpenOfOneCell() =>
        RpcClient<MaybeNothing, MaybeNothing>.OpenFile(File, new RpcClientOptions { CallsInFlight = 1 });

    [Fact]
    public async Task A_call_that_no_caller_awaits_is_over_when_it_is_answered_and_counted_once()
    {
        const int calls = 10;
        using var server = new Serving(
            File, static (request, _) => request.Number == 3 ? throw new ArgumentException("three") : new ValueTask<Parcel>(request));
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 2 });
        var begun = new ValueTask<Parcel>[calls];
        for (int number = 0; number < calls; number++)
        {
            begun[number] = client.CallAsync(Of(number));
        }
        ValueTask sent = client.SendAsync(Of(calls));
        // A call that waits for a cell is none yet: for a moment none is in flight, although not all were begun.
        Assert.True(SpinWait.SpinUntil(() => client.GetStatistics() is { Calls: calls + 1, InFlight: 0 }, Peer.Patience));
        RpcStatistics counted = client.GetStatistics();
        Assert.Equal((calls + 1, calls, 1), (counted.Calls, counted.Answers, counted.Faults));
        // What was answered is read later, once.
        for (int number = 0; number < calls; number++)
        {
            if (number == 3)
            {
                RpcFaultException fault = Assert.Throws<RpcFaultException>(() => Soon.Of(begun[3].AsTask()));
                Assert.Equal(("three", typeof(ArgumentException).FullName), (fault.FaultMessage, fault.FaultType));
                continue;
            }
            RequireSame(Of(number), await begun[number]);
        }
        await sent;
        Assert.Equal(counted with { }, client.GetStatistics());
        await Assert.ThrowsAsync<InvalidOperationException>(() => begun[0].AsTask());
    }

    [Fact]
    public void A_call_that_no_caller_awaits_ends_with_its_time_or_its_client()
    {
        RpcClient<Parcel, Parcel> client = Open();
        ValueTask<Parcel> late = client.CallAsync(Of(1), timeout: TimeSpan.FromMilliseconds(50));
        AwaitNone(client);
        Assert.Equal(1, client.GetStatistics().TimedOut);
        Assert.Throws<RpcTimeoutException>(() => Soon.Of(late.AsTask()));
        ValueTask<Parcel> open = client.CallAsync(Of(2));
        client.Dispose();
        // The watch may still be inside.
        AwaitNone(client);
        RpcStatistics counted = client.GetStatistics();
        Assert.Equal((2, 1, 1, 0), (counted.Calls, counted.TimedOut, counted.Cancelled, counted.InFlight));
        Assert.Throws<ObjectDisposedException>(() => Soon.Of(open.AsTask()));
        Assert.Equal(counted, client.GetStatistics());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(8)]
    public void A_long_reply_that_is_not_awaited_gives_its_cell_back(int blocks)
    {
        using Serving server = EchoOnThread();
        using RpcClient<Parcel, Parcel> client = Open(
            new RpcClientOptions { Timeout = Timeout.InfiniteTimeSpan, CallsInFlight = 1, Blocks = blocks });
        ValueTask<Parcel> early = client.CallAsync(Of(1, Long));
        RequireSame(Of(2), Soon.Of(Task.Run(() => client.Call(Of(2)))));
        RequireSame(Of(1, Long), Soon.Of(early.AsTask()));
        Assert.Equal((2, 0), (client.GetStatistics().Answers, client.GetStatistics().InFlight));
    }

    [Fact]
    public void A_process_may_end_as_soon_as_its_client_is_disposed()
    {
        var core = new RpcClientCore(RpcChannel.Open(File, RpcTypes<Parcel, Parcel>.Layout, rights: null), new RpcClientOptions());
        using var isInside = new ManualResetEventSlim();
        // As the pump that has just woken the last caller, or the watch.
        Task inside = Task.Factory.StartNew(
            () =>
            {
                using (core.Gate.Enter())
                {
                    isInside.Set();
                    Assert.True(SpinWait.SpinUntil(() => core.Gate.IsClosed, Peer.Patience));
                    Thread.Sleep(20);
                }
            },
            TaskCreationOptions.LongRunning);
        isInside.Wait();
        core.Dispose();
        Assert.Equal([File], Directory.GetFiles(_site.Root));
        Soon.Of(inside);
    }

    [Fact]
    public void Calls_end_although_the_system_gives_no_thread_to_wait_with()
    {
        using Serving server = EchoOnThread();
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { Timeout = Timeout.InfiniteTimeSpan });
        // From now on long replies have a block: the 2 KiB of a cell, which are looked at once in 20 ms, would take a minute.
        RequireSame(Of(0, Long), client.Call(Of(0, Long)));
        Assert.True(SpinWait.SpinUntil(static () => !HasWaitThread(), Peer.Patience));
        WaitThread.Platform = new NoThreads(CurrentPlatform.Instance);
        try
        {
            RequireSame(Of(1, Long), Soon.Of(client.CallAsync(Of(1, Long)).AsTask()));
            RequireSame(Of(2), Soon.Of(client.CallAsync(Of(2)).AsTask()));
        }
        finally
        {
            WaitThread.Platform = CurrentPlatform.Instance;
        }
        // As soon as there is one, waits use it.
        RequireSame(Of(3, Long), Soon.Of(client.CallAsync(Of(3, Long)).AsTask()));
        Assert.True(SpinWait.SpinUntil(HasWaitThread, Peer.Patience));
    }

    private static bool HasWaitThread() => OwnProcess.Threads(WaitThread.Name) > 0;

    /// <summary>What a thread needs before it starts is refused, as the thread is where a process may have no more of them.</summary>
    private sealed class NoThreads(IPlatform inner) : PlatformAround(inner)
    {
        public override int MostWords => throw new OutOfMemoryException("no thread");
    }

    [Fact]
    public void A_wait_after_one_that_got_no_thread_ends()
    {
        Assert.True(SpinWait.SpinUntil(static () => !HasWaitThread(), Peer.Patience));
        using var site = new Site(inMemory: true);
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        WaitThread.Platform = new NoThreads(CurrentPlatform.Instance);
        try
        {
            Assert.Throws<OutOfMemoryException>(() => Soon.Of(queue.DequeueAsync().AsTask()));
        }
        finally
        {
            WaitThread.Platform = CurrentPlatform.Instance;
        }
        Task<Parcel> next = queue.DequeueAsync().AsTask();
        queue.Enqueue(Of(7));
        RequireSame(Of(7), Soon.Of(next));
    }

    [Fact]
    public void A_look_that_fails_ends_neither_the_process_nor_the_other_looks()
    {
        var broken = new BrokenHandle();
        RpcWatch.Add(broken);
        try
        {
            using RpcClient<Parcel, Parcel> client = Open();
            Assert.Throws<RpcTimeoutException>(
                () => Soon.Of(client.CallAsync(Of(1), timeout: TimeSpan.FromMilliseconds(50)).AsTask()));
            Assert.True(SpinWait.SpinUntil(() => broken.Looks > 2, Peer.Patience));
        }
        finally
        {
            RpcWatch.Remove(broken);
        }
    }

    private sealed class BrokenHandle : IRpcWatched
    {
        private int _looks;

        public int Looks => Volatile.Read(ref _looks);

        public void LookAtPeers()
        {
            Interlocked.Increment(ref _looks);
            throw new InvalidOperationException("broken");
        }
    }

    [Fact]
    public void A_server_without_a_limit_of_handlers_ends_as_soon_as_any_other()
    {
        using var server = new Serving(
            File, static (request, _) => new ValueTask<Parcel>(request), new RpcServerOptions { Concurrency = int.MaxValue });
        using RpcClient<Parcel, Parcel> client = Open();
        RequireSame(Of(1), client.Call(Of(1)));
        server.Stop();
    }

    [Fact]
    public async Task A_stream_that_fails_inside_of_a_reply_gives_no_reply_that_is_none()
    {
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { Blocks = 0 });
        using var core = new RpcServerCore(RpcChannel.Open(File, RpcTypes<Parcel, Parcel>.Layout, rights: null), new RpcServerOptions());
        core.BeginServing();
        var half = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<List<Parcel>> reading = ReadAsync(client, half.Task);
        var context = new RpcContext(core, blocks: false);
        Assert.True(SpinWait.SpinUntil(() => core.TryTake(context), Peer.Patience));
        await context.SendItemAsync(Of(0, 10));
        // So much longer than the ring that the reader does not get to its end before it looks at the answer.
        Task sending = context.SendItemAsync(Of(1, 1_000_000)).AsTask();
        Assert.False(sending.IsCompleted);
        Task failing = context.SendFaultAsync(new InvalidOperationException("in the middle")).AsTask();
        half.SetResult();
        RpcFaultException fault = await Assert.ThrowsAsync<RpcFaultException>(() => reading.WaitAsync(Peer.Patience));
        Assert.Equal((typeof(InvalidOperationException).FullName, "in the middle"), (fault.FaultType, fault.FaultMessage));
        await failing.WaitAsync(Peer.Patience);
        core.End(context, failure: null);
        await Task.WhenAny(sending, Task.Delay(100));
    }

    private static async Task<List<Parcel>> ReadAsync(RpcClient<Parcel, Parcel> client, Task next)
    {
        List<Parcel> replies = [];
        await foreach (Parcel reply in client.StreamAsync(Of(1)))
        {
            Assert.Equal((0, true), (reply.Number, reply.IsIntact()));
            replies.Add(reply);
            await next;
        }
        return replies;
    }

    public void Dispose() => _site.Dispose();
}
