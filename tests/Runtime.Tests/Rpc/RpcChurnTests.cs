using System.Runtime.CompilerServices;

namespace BlitQueue.Tests.Processes;

/// <summary>Clients and servers that are disposed at any moment while calls, streams and bytes of them are in use.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcChurnTests : IDisposable
{
    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    private static Parcel Of(int producer, long number, int length) => new Parcel().Fill(producer, number, length);

    private static void RequireSame(Parcel asked, Parcel answered)
    {
        Assert.Equal((asked.Producer, asked.Number, asked.Length), (answered.Producer, answered.Number, answered.Length));
        Assert.True(answered.IsIntact());
    }

    private static int LengthOf(Random random) => random.Next(8) switch { 0 => 2_500_000, 1 => 30_000, 2 => 2100, _ => random.Next(300) };

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task A_client_that_is_disposed_at_any_moment_ends_each_of_its_calls_and_leaves_nothing(int seed)
    {
        const int rounds = 150, callers = 6;
        var random = new Random(seed);
        using var server = new Serving(File, static async (request, context) =>
        {
            await Task.Delay((int)(request.Number % 2), context.CancellationToken);
            return request;
        });
        using var streams = new Serving(File + "s", static (request, context) => CountAsync(request, context.CancellationToken));
        for (int round = 0; round < rounds; round++)
        {
            var options = new RpcClientOptions
            {
                CallsInFlight = random.Next(1, 5), Blocks = random.Next(3), SpinDuration = TimeSpan.FromMicroseconds(random.Next(100)),
                Timeout = Timeout.InfiniteTimeSpan,
            };
            var client = RpcClient<Parcel, Parcel>.OpenFile(File, options);
            var reader = RpcClient<Parcel, Parcel>.OpenFile(File + "s", options);
            int[] seeds = [.. Enumerable.Range(0, callers).Select(_ => random.Next())];
            Task[] calls =
            [
                .. seeds.Select((seed, caller) => Task.Run(() => CallUntilDisposedAsync(client, caller, seed))),
                .. seeds.Take(2).Select(seed => Task.Run(() => ReadUntilDisposedAsync(reader, seed))),
            ];
            await Task.Delay(random.Next(6));
            client.Dispose();
            reader.Dispose();
            await Task.WhenAll(calls).WaitAsync(Peer.Patience);
        }
        Assert.True(SpinWait.SpinUntil(() => server.Server.GetStatistics().InFlight == 0, Peer.Patience));
        Assert.True(SpinWait.SpinUntil(() => streams.Server.GetStatistics().InFlight == 0, Peer.Patience));
        Assert.Equal([File, File + "s"], _site.FilesLeft(2));
        int left = OperatingSystem.IsLinux() ? 2 : 0;
        Assert.True(SpinWait.SpinUntil(() => Mappings() == left, Peer.Patience), $"{Mappings()} mappings");
    }

    private int Mappings() => OwnProcess.Mappings(_site.Root).Length;

    private static async Task CallUntilDisposedAsync(RpcClient<Parcel, Parcel> client, int caller, int seed)
    {
        var random = new Random(seed);
        try
        {
            for (int number = 0; ; number++)
            {
                Parcel asked = Of(caller, number, LengthOf(random));
                switch (random.Next(4))
                {
                    case 0:
                        RequireSame(asked, client.Call(asked));
                        break;
                    case 1:
                        using (RpcReplyBytes bytes = client.CallForBytes(asked))
                        {
                            Assert.Equal(number, new Parcel.View(bytes.Span).Number);
                        }
                        break;
                    case 2 when asked.Length < 1500:
                        _ = client.CallAsync(asked);
                        break;
                    default:
                        RequireSame(asked, await client.CallAsync(asked));
                        break;
                }
            }
        }
        catch (ObjectDisposedException)
        {
        }
    }

    private static async Task ReadUntilDisposedAsync(RpcClient<Parcel, Parcel> client, int seed)
    {
        var random = new Random(seed);
        try
        {
            for (; ; )
            {
                await ReadAsync(client, random.Next(100), random.Next(100), LengthOf(random) / 10, default);
            }
        }
        catch (ObjectDisposedException)
        {
        }
    }

    // Reads so many of the replies, and leaves.
    private static async Task ReadAsync(
        RpcClient<Parcel, Parcel> client, int most, int count, int length, CancellationToken cancellationToken)
    {
        int next = 0;
        await foreach (Parcel reply in client.StreamAsync(
            Of(count, 1, length), timeout: null, cancellationToken).ConfigureAwait(false))
        {
            RequireSame(Of(count, next++, length), reply);
            if (next > most)
            {
                return;
            }
        }
        Assert.Equal(count, next);
    }

    private static async IAsyncEnumerable<Parcel> CountAsync(
        Parcel request, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        for (int number = 0; number < request.Producer; number++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return Of(request.Producer, number, request.Length);
            if (number % 16 == 0)
            {
                await Task.Yield();
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Streams_that_are_left_cancelled_or_late_give_whole_replies_in_order_and_their_memory_back(int seed)
    {
        const int readers = 6, rounds = 150, cells = 4;
        using var server = new Serving(File, static (request, context) => CountAsync(request, context.CancellationToken));
        using var client = RpcClient<Parcel, Parcel>.OpenFile(File, new RpcClientOptions { CallsInFlight = cells, Blocks = 1 });
        await Task.WhenAll(Enumerable.Range(0, readers).Select(reader => Task.Run(async () =>
        {
            var random = new Random((seed * 100) + reader);
            for (int round = 0; round < rounds; round++)
            {
                using var cancelled = new CancellationTokenSource();
                if (random.Next(2) == 0)
                {
                    cancelled.CancelAfter(random.Next(4));
                }
                try
                {
                    await ReadAsync(client, random.Next(200), random.Next(200), LengthOf(random) / 10, cancelled.Token);
                }
                catch (OperationCanceledException) when (cancelled.IsCancellationRequested)
                {
                }
            }
        }))).WaitAsync(2 * Peer.Patience);
        Assert.True(SpinWait.SpinUntil(() => server.Server.GetStatistics().InFlight == 0, Peer.Patience));
        Assert.Equal(0, client.GetStatistics().InFlight);
        // Each cell and the block can be used at the same time.
        await Task.WhenAll(Enumerable.Range(0, cells).Select(_ => ReadAsync(client, 1000, 500, 1000, default))).WaitAsync(Peer.Patience);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Servers_that_come_and_go_lose_a_call_by_name_or_answer_it_as_its_own(int seed)
    {
        const int rounds = 100, callers = 4;
        var random = new Random(seed);
        using var end = new CancellationTokenSource();
        using var once = RpcClient<Parcel, Parcel>.OpenFile(File, new RpcClientOptions { CallsInFlight = 3, Blocks = 1 });
        using var again = RpcClient<Parcel, Parcel>.OpenFile(File, new RpcClientOptions { CallsInFlight = 3, MaxAttempts = int.MaxValue });
        long lost = 0, answered = 0;
        Task[] calling = [.. Enumerable.Range(0, callers).Select(caller => Task.Run(async () =>
        {
            var own = new Random((seed * 100) + caller);
            for (int number = 0; !end.IsCancellationRequested; number++)
            {
                bool isOnce = caller % 2 == 0;
                Parcel asked = Of(caller, number, isOnce ? LengthOf(own) : own.Next(10_000));
                try
                {
                    RpcClient<Parcel, Parcel> client = isOnce ? once : again;
                    RequireSame(asked, own.Next(2) == 0 ? client.Call(asked) : await client.CallAsync(asked));
                    Interlocked.Increment(ref answered);
                }
                catch (PeerLostException) when (isOnce)
                {
                    Interlocked.Increment(ref lost);
                }
            }
        }))];
        for (int round = 0; round < rounds; round++)
        {
            Serving server = random.Next(2) == 0 ? Serving.Echo(File)
                : new Serving(File, static (Parcel request, Parcel? _, RpcContext _) => request);
            await Task.Delay(random.Next(8));
            if (random.Next(2) == 0)
            {
                server.Stop();
            }
            server.Dispose();
        }
        using (Serving.Echo(File))
        {
            end.Cancel();
            await Task.WhenAll(calling).WaitAsync(Peer.Patience);
        }
        Assert.InRange(answered, rounds / 4, long.MaxValue);
        Assert.InRange(lost, 1, long.MaxValue);
    }

    public void Dispose() => _site.Dispose();
}
