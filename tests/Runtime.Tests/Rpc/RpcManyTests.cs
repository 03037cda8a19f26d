namespace BlitQueue.Tests.Processes;

/// <summary>As many calls as a machine may ever have open.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcManyTests : IDisposable
{
    private const int Clients = 100, Calls = 1000;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private readonly Site _site = new(inMemory: true);

    [Fact]
    public async Task A_hundred_clients_with_a_thousand_open_calls_each_get_each_its_own_answer_once()
    {
        int[] seen = new int[Clients * Calls];
        int open = 0;
        var areAllOpen = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var server = new Serving(
            _site.Queue,
            async (request, _) =>
            {
                Interlocked.Increment(ref seen[(request.Producer * Calls) + (int)request.Number]);
                if (Interlocked.Increment(ref open) == seen.Length)
                {
                    areAllOpen.SetResult();
                }
                await areAllOpen.Task;
                return new Parcel().Fill(request.Producer, request.Number, (int)request.Number % 100);
            },
            new RpcServerOptions { Concurrency = seen.Length });
        RpcClient<Parcel, Parcel>[] clients =
        [
            .. Enumerable.Range(0, Clients).Select(_ => RpcClient<Parcel, Parcel>.OpenFile(
                _site.Queue, new RpcClientOptions { CallsInFlight = Calls, Blocks = 0, Timeout = Timeout.InfiniteTimeSpan })),
        ];
        try
        {
            await Task.WhenAll(clients.SelectMany((client, producer) => Enumerable.Range(0, Calls).Select(
                number => CallAsync(client, producer, number)))).WaitAsync(Patience);
        }
        finally
        {
            Array.ForEach(clients, static client => client.Dispose());
        }
        Assert.All(seen, static times => Assert.Equal(1, times));
        Assert.Equal(seen.Length, server.Server.GetStatistics().Answers);
    }

    private static async Task CallAsync(RpcClient<Parcel, Parcel> client, int producer, int number)
    {
        Parcel reply = await client.CallAsync(new Parcel().Fill(producer, number, 10));
        Assert.Equal((producer, number, number % 100), (reply.Producer, reply.Number, reply.Length));
        Assert.True(reply.IsIntact());
    }

    public void Dispose() => _site.Dispose();
}
