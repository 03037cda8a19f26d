using System.Reflection;
using BlitQueue.Calls;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Deadlines and cancellations that race with answers, streams that are left, and calls that no caller awaits, on one client and many
/// threads.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcRaceTests : IDisposable
{
    private const int Cells = 8, Blocks = 2, Callers = 6, Rounds = 400;

    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    private long _answers, _ends;

    /// <summary>What the watch reads of a cell may be older than the call that it looks at.</summary>
    [Fact]
    public void Looks_of_the_watch_end_no_call_that_is_just_being_queued()
    {
        const int calls = 50_000;
        using var server = new Serving(File, static (Parcel request, Parcel? _, RpcContext _) => request);
        using var client = RpcClient<Parcel, Parcel>.OpenFile(File, new RpcClientOptions { CallsInFlight = 1 });
        var core = (RpcClientCore)typeof(RpcClient<Parcel, Parcel>).GetField("_core", BindingFlags.NonPublic | BindingFlags.Instance)!
            .GetValue(client)!;
        using var isOver = new CancellationTokenSource();
        Task looking = Task.Factory.StartNew(
            () =>
            {
                while (!isOver.IsCancellationRequested)
                {
                    core.LookAtPeers();
                }
            },
            TaskCreationOptions.LongRunning);
        Parcel request = new Parcel().Fill(1, 1, 10);
        Parcel? reply = null;
        for (int number = 0; number < calls; number++)
        {
            client.Call(in request, ref reply);
        }
        isOver.Cancel();
        Soon.Of(looking);
        Assert.Equal((calls, 0), (client.GetStatistics().Answers, client.GetStatistics().InFlight));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Whatever_races_with_an_answer_each_call_ends_and_all_of_its_memory_comes_back(int seed)
    {
        using var onPool = new Serving(
            File, static async (request, context) =>
            {
                if (request.Number % 5 == 0)
                {
                    await Task.Delay((int)(request.Number % 3), context.CancellationToken);
                }
                return request.Number % 11 == 0 ? throw new InvalidOperationException("eleven") : request;
            });
        using var onThread = new Serving(File, static (Parcel request, Parcel? _, RpcContext _) => request);
        var client = RpcClient<Parcel, Parcel>.OpenFile(
            File, new RpcClientOptions { CallsInFlight = Cells, Blocks = Blocks, Timeout = TimeSpan.FromSeconds(20) });
        using (client)
        {
            await Task.WhenAll(Enumerable.Range(0, Callers).Select(caller => Task.Run(() => CallManyAsync(client, caller, seed))))
                .WaitAsync(2 * Peer.Patience);
            Assert.True(SpinWait.SpinUntil(() => client.GetStatistics().InFlight == 0, Peer.Patience));
            RpcStatistics one = client.GetStatistics();
            Assert.Equal(one.Calls, one.Answers + one.Faults + one.TimedOut + one.Cancelled + one.PeersLost + one.Failed);
            Assert.Equal((0, 0), (one.PeersLost, one.Failed));
            Assert.InRange(_answers, 1, long.MaxValue);
            // All cells and blocks are there: as many long calls can be open at a time.
            for (int round = 0; round < 3; round++)
            {
                await Task.WhenAll(Enumerable.Range(0, Cells).Select(async number =>
                {
                    Parcel reply = await client.CallAsync(Of(1, 1 + (number * 22), 200_000));
                    Assert.Equal((1 + (number * 22), true), (reply.Number, reply.IsIntact()));
                })).WaitAsync(Peer.Patience);
            }
        }
        Assert.Equal(Callers * Rounds, _ends);
        Assert.Equal([File], _site.FilesLeft(1));
    }

    private static Parcel Of(int producer, long number, int length) => new Parcel().Fill(producer, number, length);

    private async Task CallManyAsync(RpcClient<Parcel, Parcel> client, int caller, int seed)
    {
        var random = new Random((seed * 100) + caller);
        for (int round = 0; round < Rounds; round++)
        {
            int length = random.Next(20) switch { 0 => 2_500_000, < 4 => 30_000, < 8 => 2100, _ => random.Next(300) };
            Parcel asked = Of(caller, round, length);
            using var cancelled = new CancellationTokenSource();
            TimeSpan timeout = random.Next(3) == 0 ? TimeSpan.FromMilliseconds(random.Next(1, 4)) : TimeSpan.FromSeconds(20);
            if (random.Next(3) == 0)
            {
                cancelled.CancelAfter(random.Next(3));
            }
            try
            {
                await CallAsync(client, random.Next(5), asked, timeout, cancelled.Token);
                Interlocked.Increment(ref _answers);
            }
            catch (Exception exception) when (exception is OperationCanceledException or RpcTimeoutException or RpcFaultException)
            {
            }
            Interlocked.Increment(ref _ends);
        }
    }

    private static async Task CallAsync(
        RpcClient<Parcel, Parcel> client, int way, Parcel asked, TimeSpan timeout, CancellationToken cancelled)
    {
        switch (way)
        {
            case 0:
                RequireSame(asked, client.Call(asked, timeout, cancelled));
                break;
            case 2 when asked.Length <= 1500:
                // Begun, and left to itself. A longer reply is moved only where it is awaited.
                _ = client.CallAsync(asked, timeout: timeout, cancellationToken: cancelled);
                break;
            case 1 or 2:
                RequireSame(asked, await client.CallAsync(asked, timeout: timeout, cancellationToken: cancelled));
                break;
            case 3:
                ValueTask<Parcel> begun = client.CallAsync(asked, timeout: timeout, cancellationToken: cancelled);
                await Task.Delay(1, CancellationToken.None);
                RequireSame(asked, await begun);
                break;
            default:
                using (RpcReplyBytes bytes = client.CallForBytes(asked, cancelled))
                {
                    Assert.Equal(asked.Number, new Parcel.View(bytes.Span).Number);
                }
                break;
        }
    }

    private static void RequireSame(Parcel asked, Parcel answered)
    {
        Assert.Equal((asked.Producer, asked.Number, asked.Length), (answered.Producer, answered.Number, answered.Length));
        Assert.True(answered.IsIntact());
    }

    public void Dispose() => _site.Dispose();
}
