using System.Globalization;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Many thousand calls that are open at the same time: of 10 clients, or of as many as the variable <c>BLITQUEUE_CLIENTS</c> says.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcManyTests : IDisposable
{
    private const int Calls = 1000;

    private static readonly int Clients = int.Parse(
        Environment.GetEnvironmentVariable("BLITQUEUE_CLIENTS") ?? "10", CultureInfo.InvariantCulture);

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private readonly Site _site = new(inMemory: true);

    [Fact]
    public async Task Clients_with_a_thousand_open_calls_each_get_each_its_own_answer_once()
    {
        int[] seen = new int[Clients * Calls];
        using var onPool = new Serving(_site.Queue, (request, _) => new ValueTask<Parcel>(Answer(seen, request)));
        using var onThread = new Serving(
            _site.Queue, (Parcel request, Parcel? _, RpcContext _) => Answer(seen, request));
        RpcClient<Parcel, Parcel>[] clients =
        [
            .. Enumerable.Range(0, Clients).Select(_ => RpcClient<Parcel, Parcel>.OpenFile(
                _site.Queue, new RpcClientOptions { CallsInFlight = Calls, Blocks = 0, Timeout = 2 * Patience })),
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
        Assert.Equal(seen.Length, onPool.Server.GetStatistics().Answers + onThread.Server.GetStatistics().Answers);
    }

    private static Parcel Answer(int[] seen, Parcel request)
    {
        Interlocked.Increment(ref seen[(request.Producer * Calls) + (int)request.Number]);
        return new Parcel().Fill(request.Producer, request.Number, (int)request.Number % 100);
    }

    private static async Task CallAsync(RpcClient<Parcel, Parcel> client, int producer, int number)
    {
        Parcel reply = await client.CallAsync(new Parcel().Fill(producer, number, 10));
        Assert.Equal((producer, number, number % 100), (reply.Producer, reply.Number, reply.Length));
        Assert.True(reply.IsIntact());
    }

    public void Dispose() => _site.Dispose();
}
