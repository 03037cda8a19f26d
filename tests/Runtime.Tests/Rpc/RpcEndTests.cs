using System.Runtime.CompilerServices;
using BlitQueue.Calls;
using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Platform;
using BlitQueue.Sharing;

namespace BlitQueue.Tests.Processes;

/// <summary>What a client is told about the end of a call, and what both sides count.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcEndTests : IDisposable
{
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(100);

    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    private RpcClient<Parcel, Parcel> Open(RpcClientOptions? options = null) => RpcClient<Parcel, Parcel>.OpenFile(File, options);

    private RpcServerCore OpenCore()
    {
        var core = new RpcServerCore(RpcChannel.Open(File, RpcTypes<Parcel, Parcel>.Layout, rights: null), new RpcServerOptions());
        core.BeginServing();
        return core;
    }

    // The call that a client makes meanwhile, taken by hand.
    private static RpcContext Take(RpcServerCore core)
    {
        var context = new RpcContext(core, blocks: false);
        Assert.True(SpinWait.SpinUntil(() => core.TryTake(context), Peer.Patience));
        return context;
    }

    private static Parcel Of(long number, int length = 100) => new Parcel().Fill(1, number, length);

    [Fact]
    public async Task A_wait_for_a_clients_bytes_that_comes_after_the_servers_end_is_refused()
    {
        using RpcClient<Parcel, Parcel> client = Open();
        RpcServerCore core = OpenCore();
        Task<Parcel> call = client.CallAsync(Of(1)).AsTask();
        RpcContext context = Take(core);
        core.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(
            () => core.WaitAsync(context.File, static _ => false, CancellationToken.None).AsTask());
        Assert.True(context.IsCancelled);
        core.End(context, failure: null);
        Assert.True(Assert.Throws<PeerLostException>(() => Soon.Of(call)).WasTaken);
    }

    // The process may end behind it, and no other may come.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Where_no_mapped_file_is_deleted_a_servers_end_waits_for_who_is_about_to_leave(bool reads)
    {
        IPlatform usual = CurrentPlatform.Instance;
        CurrentPlatform.Instance = new NoMappedFileDeleted(usual);
        try
        {
            RpcServerCore core = OpenCore();
            string left = UnfinishedSharedFile.NameOf(File, "left");
            System.IO.File.WriteAllBytes(left, []);
            Task leaving = BeInside(reads ? core.Reading : core.Gate, core.Gate);
            core.Dispose();
            Assert.False(System.IO.File.Exists(left));
            await leaving;
        }
        finally
        {
            CurrentPlatform.Instance = usual;
        }
    }

    // A thread that is inside of one gate now, and leaves it a moment after the other is closed.
    private static Task BeInside(CallGate gate, CallGate closed)
    {
        using var isInside = new ManualResetEventSlim();
        Task leaving = Task.Factory.StartNew(
            () =>
            {
                using CallGate.Call inside = gate.Enter();
                isInside.Set();
                SpinWait.SpinUntil(() => closed.IsClosed);
                Thread.Sleep(20);
            },
            TaskCreationOptions.LongRunning);
        isInside.Wait();
        return leaving;
    }

    [Fact]
    public async Task Each_of_two_who_dispose_a_client_goes_on_when_its_file_is_gone()
    {
        using RpcServerCore server = OpenCore();
        var core = new RpcClientCore(RpcChannel.Open(File, RpcTypes<Parcel, Parcel>.Layout, rights: null), new RpcClientOptions());
        int files = Directory.GetFiles(_site.Root).Length;
        Task leaving = BeInside(core.Gate, core.Gate);
        Task[] ends = [.. Enumerable.Range(0, 2).Select(_ => Task.Factory.StartNew(
            () =>
            {
                core.Dispose();
                Assert.Equal(files - 1, Directory.GetFiles(_site.Root).Length);
            },
            TaskCreationOptions.LongRunning))];
        await Task.WhenAll(ends);
        await leaving;
    }

    private sealed class NoMappedFileDeleted(IPlatform inner) : PlatformAround(inner)
    {
        public override bool ReplacesMapped => false;
    }

    [Fact]
    public void Waits_that_are_closed_do_not_look_at_their_word()
    {
        using var region = new MappedRegion(4096);
        var waits = new AsyncWaitQueue(new CallGate(static () => { }), new EventCount(region, 0));
        Task wait = waits.WaitAsync(static _ => false, CancellationToken.None).AsTask();
        waits.Close();
        Assert.Throws<ObjectDisposedException>(() => Soon.Of(wait));
        // The gate is open, and the word would be due.
        region.Word32(4)++;
        Assert.False(waits.IsDue(long.MaxValue));
        Assert.False(waits.TryAnnounce(out _));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task An_exception_that_cannot_be_read_ends_its_call_like_any_other(bool withStack)
    {
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { Timeout = Timeout.InfiniteTimeSpan });
        var options = new RpcServerOptions { IncludeStackTraces = withStack };
        using (new Serving(File, static (_, _) => throw new UnreadableException(), options))
        {
            RpcFaultException fault = Assert.Throws<RpcFaultException>(() => Soon.Of(client.CallAsync(Of(1)).AsTask()));
            Assert.Equal((typeof(UnreadableException).FullName, null), (fault.FaultType, fault.ServerStackTrace));
        }
        using (new Serving(File, static (Parcel _, Parcel? _, RpcContext _) => throw new UnreadableException()))
        {
            Assert.Throws<RpcFaultException>(() => Soon.Of(Task.Run(() => client.Call(Of(1)))));
            // The server goes on.
            Assert.Throws<RpcFaultException>(() => Soon.Of(Task.Run(() => client.Call(Of(2)))));
        }
        using (new Serving(File, static (_, _) => FailAsync()))
        {
            await Assert.ThrowsAsync<RpcFaultException>(() => ReadAsync(client, TimeSpan.FromMinutes(1)));
        }

        static async IAsyncEnumerable<Parcel> FailAsync()
        {
            yield return Of(1);
            await Task.Yield();
            throw new UnreadableException();
        }
    }

    private static async Task<int> ReadAsync(RpcClient<Parcel, Parcel> client, TimeSpan time)
    {
        int count = 0;
        await foreach (Parcel reply in client.StreamAsync(Of(1), time))
        {
            count++;
        }
        return count;
    }

    [Fact]
    public async Task A_stream_whose_time_is_over_still_gives_the_replies_that_are_there()
    {
        const int replies = 500;
        var isOver = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var server = new Serving(File, (_, context) => AllThenWait(context.CancellationToken));
        using RpcClient<Parcel, Parcel> client = Open();
        long number = 0;
        await Assert.ThrowsAsync<RpcTimeoutException>(async () =>
        {
            await foreach (Parcel reply in client.StreamAsync(Of(1), timeout: 3 * Moment))
            {
                if (number == 0)
                {
                    await isOver.Task.WaitAsync(Peer.Patience);
                    // The server has answered when it has no running call any more.
                    Assert.True(SpinWait.SpinUntil(() => server.Server.GetStatistics().InFlight == 0, Peer.Patience));
                }
                Assert.Equal((number++, true), (reply.Number, reply.IsIntact()));
            }
        });
        Assert.Equal(replies, number);

        async IAsyncEnumerable<Parcel> AllThenWait([EnumeratorCancellation] CancellationToken cancellationToken)
        {
            for (int reply = 0; reply < replies; reply++)
            {
                // Short: the text of a fault would be over several of them.
                yield return Of(reply, 10);
            }
            try
            {
                await Task.Delay(Timeout.Infinite, cancellationToken);
            }
            finally
            {
                isOver.TrySetResult();
            }
        }
    }

    [Fact]
    public void A_fault_inside_of_a_long_reply_ends_the_call_by_name()
    {
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { Timeout = Timeout.InfiniteTimeSpan });
        using RpcServerCore core = OpenCore();
        Task<Parcel> call = client.CallAsync(Of(1)).AsTask();
        RpcContext context = Take(core);
        // The client's pump reads what there is of the reply, and waits for the rest.
        using (core.Gate.Enter())
        {
            RpcCallWords words = context.File[0];
            MachineMemory.Store(ref words.ReplyLength, 3_000_000);
            words.Reply.Write(new byte[words.Reply.Size]);
            context.File.NotifyCaller(0, words.Marks);
            Assert.True(SpinWait.SpinUntil(() => words.Reply.Waiting == 0, Peer.Patience));
        }
        context.Fault(new InvalidOperationException("in the middle"));
        RpcFaultException fault = Assert.Throws<RpcFaultException>(() => Soon.Of(call));
        Assert.Equal((typeof(InvalidOperationException).FullName, "in the middle"), (fault.FaultType, fault.FaultMessage));
        core.End(context, failure: null);
    }

    [Fact]
    public void A_call_that_its_server_never_answers_is_ended_with_its_context()
    {
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { Timeout = Timeout.InfiniteTimeSpan });
        using RpcServerCore core = OpenCore();
        Task<Parcel> call = client.CallAsync(Of(1)).AsTask();
        core.End(Take(core), failure: null);
        Assert.True(Assert.Throws<PeerLostException>(() => Soon.Of(call)).WasTaken);
    }

    [Fact]
    public void A_call_that_was_taken_too_late_says_that_no_handler_has_seen_it()
    {
        using RpcClient<Parcel, Parcel> client = Open();
        using RpcServerCore core = OpenCore();
        Task<Parcel> call = client.CallAsync(Of(1)).AsTask();
        RpcContext context = Take(core);
        context.Answer(RpcState.Late, length: null);
        core.End(context, failure: null);
        Assert.False(Assert.Throws<RpcTimeoutException>(() => Soon.Of(call)).WasTaken);
        Assert.Equal((1, 1), (client.GetStatistics().TimedOut, core.Statistics.TimedOut));
    }

    [Fact]
    public void A_call_whose_first_server_is_dead_was_taken_although_its_time_ends_it()
    {
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { MaxAttempts = 2, Timeout = TimeSpan.FromSeconds(2) });
        Task<Parcel> call = client.CallAsync(Of(1)).AsTask();
        using var server = Peer.StartToDie(_site, ProtocolStep.CallTaken, 1, "rpc-serve");
        server.WaitForDeath();
        RpcTimeoutException late = Assert.Throws<RpcTimeoutException>(() => Soon.Of(call));
        Assert.Equal((true, server.Id), (late.WasTaken, late.ProcessId));
    }

    [Fact]
    public void The_client_of_a_handler_that_ends_by_its_token_learns_why_the_token_was_cancelled()
    {
        using RpcClient<Parcel, Parcel> client = Open();
        using (new Serving(File, HangAsync))
        {
            for (int number = 0; number < 5; number++)
            {
                Assert.True(Assert.Throws<RpcTimeoutException>(() => client.Call(Of(number), Moment)).WasTaken);
            }
        }
        var server = new Serving(File, HangAsync);
        Task<Parcel> call = client.CallAsync(Of(1), timeout: Timeout.InfiniteTimeSpan).AsTask();
        Assert.True(SpinWait.SpinUntil(() => server.Server.GetStatistics().InFlight == 1, Peer.Patience));
        server.Dispose();
        Assert.True(Assert.Throws<PeerLostException>(() => Soon.Of(call)).WasTaken);
        RequireSum(server.Server.GetStatistics());
        RequireSum(client.GetStatistics());

        static async ValueTask<Parcel> HangAsync(Parcel request, RpcContext context)
        {
            await Task.Delay(Timeout.Infinite, context.CancellationToken);
            return request;
        }
    }

    private static void RequireSum(RpcStatistics one)
    {
        Assert.Equal(0, one.InFlight);
        Assert.Equal(one.Calls, one.Answers + one.Faults + one.TimedOut + one.Cancelled + one.PeersLost + one.Failed);
    }

    [Fact]
    public void Each_call_is_counted_once_however_it_ends()
    {
        var server = new Serving(File, static async (request, context) =>
        {
            await Task.Delay(request.Number == 3 ? Timeout.Infinite : 0, context.CancellationToken);
            return request.Number == 2 ? throw new InvalidOperationException() : request;
        });
        RpcClient<Parcel, Parcel> client = Open();
        client.Call(Of(1));
        Assert.Throws<RpcFaultException>(() => client.Call(Of(2)));
        Assert.Throws<RpcTimeoutException>(() => client.Call(Of(3), Moment));
        // A one-way call is answered before its handler fails.
        client.Send(Of(2));
        Assert.True(SpinWait.SpinUntil(() => server.Server.GetStatistics().InFlight == 0, Peer.Patience));
        RpcStatistics answered = server.Server.GetStatistics();
        Assert.Equal((4, 1, 2, 1), (answered.Calls, answered.Answers, answered.Faults, answered.Cancelled));
        // A request that cannot be packed is none.
        Assert.Throws<ArgumentNullException>(() => client.Call(null!));
        Task<Parcel> open = client.CallAsync(Of(3)).AsTask(), onThread = Task.Run(() => client.Call(Of(3)));
        Assert.True(SpinWait.SpinUntil(() => server.Server.GetStatistics().InFlight == 2, Peer.Patience));
        client.Dispose();
        Assert.Throws<ObjectDisposedException>(() => Soon.Of(open));
        Assert.Throws<ObjectDisposedException>(() => Soon.Of(onThread));
        RpcStatistics asked = client.GetStatistics();
        Assert.Equal((6, 2, 1, 1, 2), (asked.Calls, asked.Answers, asked.Faults, asked.TimedOut, asked.Cancelled));
        RequireSum(asked);
        server.Dispose();
        RequireSum(server.Server.GetStatistics());
    }

    /// <summary>As the tests of lost wake-ups: the threads that wait for tasks do not look by themselves.</summary>
    [Fact]
    public async Task A_task_learns_of_an_answer_whose_server_died_before_it_woke_its_client()
    {
        const int others = 10_000;
        using var queueSite = new Site();
        using var queue = MappedQueue<Parcel>.Open(queueSite.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        using var end = new CancellationTokenSource();
        Task[] waits = [.. Enumerable.Range(0, others).Select(_ => queue.DequeueAsync(cancellationToken: end.Token).AsTask())];
        WaitThread.LongestSleep = TimeSpan.FromHours(1);
        try
        {
            using RpcClient<Parcel, Parcel> client = Open();
            using Peer server = Peer.StartToDie(_site, ProtocolStep.CallReplied, 1, "rpc-serve").WaitFor("ready");
            Assert.True(Soon.Of(client.CallAsync(Of(1)).AsTask()).IsIntact());
            server.WaitForDeath();
        }
        finally
        {
            WaitThread.LongestSleep = WaitThread.UsualSleep;
            end.Cancel();
        }
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Task.WhenAll(waits));
    }

    public void Dispose() => _site.Dispose();

    private sealed class UnreadableException : Exception
    {
        public override string Message => throw new InvalidOperationException("no message");

        public override string? StackTrace => throw new InvalidOperationException("no stack");

        public override string ToString() => throw new InvalidOperationException("no text");
    }
}
