using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace BlitQueue.Tests.Processes;

/// <summary>Calls, with client and server in this process: each by handles of its own.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcCallTests : IDisposable
{
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(100);

    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    private RpcClient<Parcel, Parcel> Open(RpcClientOptions? options = null) => RpcClient<Parcel, Parcel>.OpenFile(File, options);

    private static Parcel Of(long number, int length = 100) => new Parcel().Fill(1, number, length);

    private static void RequireSame(Parcel asked, Parcel answered)
    {
        Assert.Equal((asked.Producer, asked.Number, asked.Length), (answered.Producer, answered.Number, answered.Length));
        Assert.True(answered.IsIntact());
    }

    [Fact]
    public void A_call_is_answered_by_a_handler_on_the_pool()
    {
        using var server = Serving.Echo(File);
        using RpcClient<Parcel, Parcel> client = Open();
        for (int number = 0; number < 200; number++)
        {
            RequireSame(Of(number), client.Call(Of(number)));
            RequireSame(Of(number), Soon.Of(client.CallAsync(Of(number)).AsTask()));
        }
        RpcStatistics asked = client.GetStatistics(), answered = server.Server.GetStatistics();
        Assert.Equal((400, 400, 0, 0), (asked.Calls, asked.Answers, asked.Faults, asked.InFlight));
        Assert.Equal((400, 400), (answered.Calls, answered.Answers));
        Assert.True(asked.Median > TimeSpan.Zero && asked.Median <= asked.Percentile99 && asked.Percentile99 <= asked.Longest);
    }

    [Fact]
    public void A_thread_that_serves_reuses_request_and_reply_and_so_does_the_client()
    {
        var requests = new HashSet<Parcel>(ReferenceEqualityComparer.Instance);
        var replies = new HashSet<Parcel>(ReferenceEqualityComparer.Instance);
        using var server = new Serving(File, (Parcel request, Parcel? reuse, RpcContext _) =>
        {
            requests.Add(request);
            replies.Add(reuse ??= new Parcel());
            return reuse.Fill(request.Producer, request.Number, request.Length);
        });
        using RpcClient<Parcel, Parcel> client = Open();
        Parcel? answer = null;
        client.Call(Of(0), ref answer);
        Parcel first = answer;
        for (int number = 1; number < 100; number++)
        {
            client.Call(Of(number), ref answer);
            RequireSame(Of(number), answer);
            Assert.Same(first, answer);
        }
        Parcel again = Soon.Of(client.CallAsync(Of(7), answer).AsTask());
        Assert.Same(first, again);
        Assert.Equal((1, 1), (requests.Count, replies.Count));
    }

    [Fact]
    public void A_reply_is_read_in_place_by_its_view()
    {
        using var server = Serving.Echo(File);
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 1 });
        for (int number = 0; number < 10; number++)
        {
            using RpcReplyBytes bytes = client.CallForBytes(Of(number));
            var view = new Parcel.View(bytes.Span);
            Assert.Equal((number, 100), (view.Number, view.Length));
            bytes.Dispose();
        }
        using (RpcReplyBytes bytes = client.CallForBytes(Of(11), TimeSpan.FromMinutes(5)))
        {
            Assert.Equal(11, new Parcel.View(bytes.Span).Number);
        }
        Assert.Throws<ArgumentOutOfRangeException>(() => client.CallForBytes(Of(1), TimeSpan.Zero).Dispose());
        client.Dispose();
        Assert.Throws<ObjectDisposedException>(() => client.CallForBytes(Of(1)).Dispose());
    }

    [Fact]
    public async Task A_request_is_read_in_place_by_its_view_or_as_a_copy_where_its_memory_is_the_clients_again()
    {
        var seen = new ConcurrentQueue<(long Number, int Length)>();
        using var server = new Serving(File, (ReadOnlySpan<byte> request, Parcel? reuse, RpcContext call) =>
        {
            var view = new Parcel.View(request);
            // The packed request and nothing else.
            Assert.Equal(Packer.Pack(Of(view.Number, view.Length)).Length, request.Length);
            seen.Enqueue((view.Number, view.Length));
            if (view.Number == 13)
            {
                throw new InvalidOperationException("thirteen");
            }
            return (reuse ?? new Parcel()).Fill(1, view.Number + 1, call.IsOneWay ? 0 : 100);
        });
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 1 });
        // In the cell, in a block, and streamed.
        foreach (int length in (int[])[10, 100_000, 3_000_000, 10])
        {
            Parcel reply = await client.CallAsync(new Parcel().Fill(1, length, length));
            Assert.Equal((length + 1, true), (reply.Number, reply.IsIntact()));
            Assert.Equal((length, length), seen.TryDequeue(out (long, int) one) ? one : default);
        }
        client.Send(Of(7));
        Assert.Equal(9, client.Call(Of(8)).Number);
        Assert.Equal(((long, int)[])[(7, 100), (8, 100)], seen);
        Assert.Equal("thirteen", Assert.Throws<RpcFaultException>(() => client.Call(Of(13))).FaultMessage);
        Assert.Throws<RpcFaultException>(() => Soon.Of(FirstOfAsync(client.StreamAsync(Of(1)))));
        Assert.Equal(3, client.Call(Of(2)).Number);
    }

    private static async Task<Parcel?> FirstOfAsync(IAsyncEnumerable<Parcel> replies)
    {
        await foreach (Parcel reply in replies)
        {
            return reply;
        }
        return null;
    }

    [Fact]
    public async Task Many_calls_at_once_get_each_its_own_answer_from_one_of_several_servers()
    {
        using var one = new Serving(File, static async (request, _) =>
        {
            await Task.Delay((int)(request.Number % 3));
            return request;
        });
        using var other = Serving.Echo(File);
        using var third = new Serving(File, static (Parcel request, Parcel? _, RpcContext _) => request);
        var patient = new RpcClientOptions { Timeout = Peer.Patience };
        RpcClient<Parcel, Parcel>[] clients = [.. Enumerable.Range(0, 4).Select(_ => Open(patient))];
        await Task.WhenAll(clients.SelectMany((client, producer) => Enumerable.Range(0, 1000).Select(async number =>
        {
            Parcel asked = new Parcel().Fill(producer, number, number);
            RequireSame(asked, await client.CallAsync(asked));
        })));
        Assert.Equal(4000, new[] { one, other, third }.Sum(static serving => serving.Server.GetStatistics().Answers));
        Array.ForEach(clients, static client => client.Dispose());
    }

    [Fact]
    public void Calls_that_were_begun_before_are_awaited_later_in_any_order()
    {
        using var server = new Serving(File, static (Parcel request, Parcel? _, RpcContext _) => request);
        using RpcClient<Parcel, Parcel> client = Open();
        for (int round = 0; round < 20; round++)
        {
            ValueTask<Parcel>[] calls = [.. Enumerable.Range(0, 64).Select(number => client.CallAsync(Of(number)))];
            for (int number = 63; number >= 0; number--)
            {
                RequireSame(Of(number), Soon.Of(calls[number].AsTask()));
            }
        }
    }

    [Fact]
    public async Task More_calls_than_cells_wait_for_each_other()
    {
        // On a thread: the pool's are those of the callers.
        using var server = new Serving(File, static (Parcel request, Parcel? _, RpcContext _) => request);
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 2, Blocks = 0 });
        await Task.WhenAll(Enumerable.Range(0, 500).Select(async number => RequireSame(Of(number), await client.CallAsync(Of(number)))));
        Parallel.For(0, 200, number => RequireSame(Of(number), client.Call(Of(number))));
        Assert.Equal(0, client.GetStatistics().InFlight);
    }

    [Fact]
    public void A_handlers_exception_is_the_clients_with_type_and_message_and_without_stack()
    {
        var told = new List<Exception>();
        using var server = new Serving(
            File, static (_, _) => throw new ArgumentException("no such thing"), new RpcServerOptions { OnFault = told.Add });
        using RpcClient<Parcel, Parcel> client = Open();
        RpcFaultException fault = Assert.Throws<RpcFaultException>(() => client.Call(Of(1)));
        Assert.Equal(("System.ArgumentException", "no such thing", null), (fault.FaultType, fault.FaultMessage, fault.ServerStackTrace));
        Assert.Equal(QueueError.HandlerFailed, fault.Reason);
        Assert.Throws<RpcFaultException>(() => Soon.Of(client.CallAsync(Of(1)).AsTask()));
        Assert.Equal(2, client.GetStatistics().Faults);
        Assert.Equal(2, told.Count);
    }

    [Fact]
    public void A_stack_is_told_where_the_server_says_so_and_a_long_message_is_cut_off()
    {
        using var server = new Serving(
            File, static (_, _) => throw new InvalidOperationException(new string('ä', 5000)),
            new RpcServerOptions { IncludeStackTraces = true });
        using RpcClient<Parcel, Parcel> client = Open();
        RpcFaultException fault = Assert.Throws<RpcFaultException>(() => client.Call(Of(1)));
        Assert.NotNull(fault.ServerStackTrace);
        Assert.StartsWith("ääää", fault.FaultMessage, StringComparison.Ordinal);
        Assert.DoesNotContain('�', fault.FaultMessage);
    }

    [Fact]
    public void A_null_reply_is_a_fault_and_a_null_request_no_call()
    {
        using var server = new Serving(File, static (_, _) => new ValueTask<Parcel>(default(Parcel)!));
        using RpcClient<Parcel, Parcel> client = Open();
        Assert.Contains("null", Assert.Throws<RpcFaultException>(() => client.Call(Of(1))).FaultMessage, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>(() => client.Call(null!));
        Assert.Throws<ArgumentNullException>(() => Soon.Of(client.CallAsync(null!).AsTask()));
        Assert.Throws<ArgumentOutOfRangeException>(() => client.Call(Of(1), TimeSpan.Zero));
        Assert.Throws<ArgumentOutOfRangeException>(() => Open(new RpcClientOptions { CallsInFlight = 0 }));
    }

    [Fact]
    public void The_handler_sees_deadline_client_and_number()
    {
        RpcContext? seen = null;
        TimeSpan? left = null;
        using var server = new Serving(File, (request, context) =>
        {
            (seen, left) = (context, context.TimeLeft);
            return new ValueTask<Parcel>(request);
        });
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { Timeout = Timeout.InfiniteTimeSpan });
        client.Call(Of(1));
        Assert.Null(left);
        client.Call(Of(1), TimeSpan.FromMinutes(1));
        Assert.InRange(left!.Value, TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(1));
        Assert.Equal((2L, Environment.ProcessId), (seen!.Number, seen.ClientProcessId));
        Assert.False(seen.IsOneWay || seen.IsStream);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_call_whose_time_is_over_ends_and_its_handler_is_told(bool isAsync)
    {
        var told = new TaskCompletionSource();
        var ended = new TaskCompletionSource();
        using var server = new Serving(File, async (request, context) =>
        {
            using (context.CancellationToken.Register(() => told.TrySetResult()))
            {
                await told.Task;
            }
            // A handler that is told first would else answer a call that has not ended yet, and such an answer counts.
            await ended.Task;
            return request;
        });
        using RpcClient<Parcel, Parcel> client = Open();
        RpcTimeoutException late;
        try
        {
            late = Assert.Throws<RpcTimeoutException>(() =>
                isAsync ? Soon.Of(client.CallAsync(Of(1), timeout: Moment).AsTask()) : client.Call(Of(1), Moment));
        }
        finally
        {
            ended.SetResult();
        }
        Assert.True(late.WasTaken);
        Assert.Equal((Environment.ProcessId, QueueError.TimedOut), (late.ProcessId, late.Reason));
        Soon.Of(told.Task);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Without_a_server_a_call_ends_by_its_time_and_no_server_gets_it_later(bool isAsync)
    {
        using RpcClient<Parcel, Parcel> client = Open();
        RpcTimeoutException late = Assert.Throws<RpcTimeoutException>(() =>
            isAsync ? Soon.Of(client.CallAsync(Of(1), timeout: Moment).AsTask()) : client.Call(Of(1), Moment));
        Assert.False(late.WasTaken);
        using var server = Serving.Echo(File);
        RequireSame(Of(2), client.Call(Of(2)));
        Assert.Equal(1, server.Server.GetStatistics().Calls);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_cancelled_token_ends_the_call_and_reaches_the_handler(bool isAsync)
    {
        var begun = new TaskCompletionSource();
        var told = new TaskCompletionSource();
        using var server = new Serving(File, async (request, context) =>
        {
            using CancellationTokenRegistration _ = context.CancellationToken.Register(() => told.TrySetResult());
            begun.TrySetResult();
            await told.Task;
            return request;
        });
        using RpcClient<Parcel, Parcel> client = Open();
        using var cancelled = new CancellationTokenSource();
        Task call = isAsync ? client.CallAsync(Of(1), cancellationToken: cancelled.Token).AsTask()
            : Task.Run(() => client.Call(Of(1), cancelled.Token));
        Soon.Of(begun.Task);
        cancelled.Cancel();
        Assert.ThrowsAny<OperationCanceledException>(() => Soon.Of(call));
        Soon.Of(told.Task);
        Assert.ThrowsAny<OperationCanceledException>(() => client.Call(Of(1), cancelled.Token));
    }

    [Fact]
    public void A_one_way_call_ends_when_it_is_taken()
    {
        var release = new TaskCompletionSource();
        var numbers = new List<long>();
        using var server = new Serving(File, async (request, context) =>
        {
            Assert.True(context.IsOneWay);
            await release.Task;
            lock (numbers)
            {
                numbers.Add(request.Number);
            }
            return request.Number == 3 ? throw new InvalidOperationException() : request;
        });
        using RpcClient<Parcel, Parcel> client = Open();
        client.Send(Of(1));
        Soon.Of(client.SendAsync(Of(2)).AsTask(), client.SendAsync(Of(3)).AsTask());
        Assert.Empty(numbers);
        release.SetResult();
        Assert.True(SpinWait.SpinUntil(() => numbers.Count == 3, Peer.Patience));
        server.Stop();
        Assert.Equal([1, 2, 3], numbers.Order());
    }

    [Theory]
    [InlineData(10)]
    [InlineData(5000)]
    [InlineData(3_000_000)]
    public async Task A_stream_of_replies_comes_whole_and_in_order(int length)
    {
        using var server = new Serving(File, (request, _) => Count(request.Number, length));
        using RpcClient<Parcel, Parcel> client = Open();
        long number = 0;
        await foreach (Parcel reply in client.StreamAsync(Of(length > 10_000 ? 3 : 500)))
        {
            RequireSame(Of(number++, length), reply);
        }
        Assert.Equal(length > 10_000 ? 3 : 500, number);
    }

    [Fact]
    public async Task A_stream_is_no_further_ahead_than_its_window_and_ends_when_the_reader_leaves()
    {
        long sent = 0;
        var ended = new TaskCompletionSource();
        using var server = new Serving(File, (_, context) => Endless(context.CancellationToken));
        using RpcClient<Parcel, Parcel> client = Open();
        await foreach (Parcel reply in client.StreamAsync(Of(1)))
        {
            await Task.Delay(Moment);
            // A window of 1 MiB has less than a thousand of them.
            Assert.InRange(Interlocked.Read(ref sent), 1, 1100);
            break;
        }
        Soon.Of(ended.Task);
        Assert.True(SpinWait.SpinUntil(() => client.GetStatistics().InFlight == 0, Peer.Patience));

        async IAsyncEnumerable<Parcel> Endless([EnumeratorCancellation] CancellationToken cancellationToken)
        {
            try
            {
                for (long number = 0; ; number++)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    Interlocked.Increment(ref sent);
                    yield return Of(number, 1000);
                    await Task.Yield();
                }
            }
            finally
            {
                ended.TrySetResult();
            }
        }
    }

    [Fact]
    public async Task A_stream_that_fails_gives_what_came_before()
    {
        using var server = new Serving(File, static (_, _) => Fail());
        using RpcClient<Parcel, Parcel> client = Open();
        long count = 0;
        RpcFaultException fault = await Assert.ThrowsAsync<RpcFaultException>(async () =>
        {
            await foreach (Parcel reply in client.StreamAsync(Of(1)))
            {
                count += reply.Number;
            }
        });
        Assert.Equal((7, "no more"), (count, fault.FaultMessage));

        static async IAsyncEnumerable<Parcel> Fail()
        {
            yield return Of(7);
            await Task.Yield();
            throw new InvalidOperationException("no more");
        }
    }

    [Fact]
    public async Task One_reply_is_a_stream_of_one_and_a_stream_is_no_single_reply()
    {
        using RpcClient<Parcel, Parcel> client = Open();
        using (Serving.Echo(File))
        {
            long count = 0;
            await foreach (Parcel reply in client.StreamAsync(Of(5)))
            {
                count += reply.Number;
            }
            Assert.Equal(5, count);
        }
        using var streams = new Serving(File, (request, _) => Count(request.Number, 10));
        Assert.Contains("StreamAsync", Assert.Throws<RpcFaultException>(() => client.Call(Of(1))).FaultMessage, StringComparison.Ordinal);
    }

    [Fact]
    public void A_disposed_client_ends_its_calls_and_leaves_no_file()
    {
        using var server = new Serving(File, static async (request, context) =>
        {
            await Task.Delay(Timeout.Infinite, context.CancellationToken);
            return request;
        });
        RpcClient<Parcel, Parcel> client = Open();
        Task<Parcel> taken = client.CallAsync(Of(1)).AsTask(), waiting = Task.Run(() => client.Call(Of(2)));
        Assert.True(SpinWait.SpinUntil(() => server.Server.GetStatistics().InFlight == 2, Peer.Patience));
        client.Dispose();
        Assert.Throws<ObjectDisposedException>(() => Soon.Of(taken));
        Assert.Throws<ObjectDisposedException>(() => Soon.Of(waiting));
        Assert.Throws<ObjectDisposedException>(() => client.Call(Of(1)));
        Assert.True(SpinWait.SpinUntil(() => server.Server.GetStatistics().InFlight == 0, Peer.Patience));
        Assert.Equal([File], _site.FilesLeft(1));
    }

    [Fact]
    public void A_server_that_ends_answers_what_it_has_taken_and_its_clients_learn_the_rest()
    {
        var release = new TaskCompletionSource();
        var server = new Serving(
            File, async (request, _) =>
            {
                await release.Task;
                return request;
            },
            new RpcServerOptions { Concurrency = 1 });
        using RpcClient<Parcel, Parcel> client = Open();
        Task<Parcel> taken = client.CallAsync(Of(1)).AsTask();
        Assert.True(SpinWait.SpinUntil(() => server.Server.GetStatistics().InFlight == 1, Peer.Patience));
        Task<Parcel> queued = client.CallAsync(Of(2)).AsTask();
        var stopping = Task.Run(server.Stop);
        Thread.Sleep(20);
        release.SetResult();
        Soon.Of(stopping);
        RequireSame(Of(1), Soon.Of(taken));
        Assert.False(Assert.Throws<PeerLostException>(() => Soon.Of(queued)).WasTaken);
        server.Dispose();
    }

    [Fact]
    public void A_channel_of_other_types_is_refused_by_name()
    {
        using RpcClient<Parcel, Parcel> client = Open();
        Assert.Throws<SchemaMismatchException>(() => RpcServer<Parcel, SharedBlockText>.OpenFile(File).Dispose());
        Assert.Throws<SchemaMismatchException>(() => SharedMutex.OpenFile(File).Dispose());
    }

    private static async IAsyncEnumerable<Parcel> Count(long count, int length)
    {
        for (long number = 0; number < count; number++)
        {
            await Task.Yield();
            yield return Of(number, length);
        }
    }

    public void Dispose() => _site.Dispose();
}
