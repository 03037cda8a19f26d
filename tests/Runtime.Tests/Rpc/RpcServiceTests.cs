using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace BlitQueue.Tests.Processes;

/// <summary>Calls by an interface.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcServiceTests : IDisposable
{
    private readonly Site _site = new(inMemory: true);

    private static SharedBlockText Of(string text) => new() { Text = text };

    [Fact]
    public async Task Each_method_is_a_call()
    {
        var pricing = new Pricing();
        using var end = new CancellationTokenSource();
        using var server = IPricing.Server.OpenFile(_site.Queue, pricing);
        Task serving = server.ServeAsync(end.Token);
        using (var client = IPricing.Client.OpenFile(_site.Queue))
        {
            Assert.Equal("A at 7", (await client.Quote(Of("A"))).Text);
            Assert.Equal("best", (await client.Best()).Text);
            await client.Forget(Of("B"));
            Assert.Contains("forgot B", pricing.Noted);
            await client.Note(Of("C"));
            Assert.True(SpinWait.SpinUntil(() => pricing.Noted.Contains("noted C"), Peer.Patience));
            List<string> followed = [];
            await foreach (SharedBlockText text in client.Follow(Of("D")))
            {
                followed.Add(text.Text);
            }
            Assert.Equal(["D0", "D1", "D2"], followed);
            RpcFaultException fault = await Assert.ThrowsAsync<RpcFaultException>(async () => await client.Forget(Of("")));
            Assert.Equal("no name", fault.FaultMessage);
        }
        end.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => serving);
    }

    public void Dispose() => _site.Dispose();

    private sealed class Pricing : IPricing
    {
        public ConcurrentBag<string> Noted { get; } = [];

        public ValueTask<SharedBlockText> Quote(SharedBlockText symbol, CancellationToken cancellationToken) =>
            new(Of($"{symbol.Text} at 7"));

        public ValueTask<SharedBlockText> Best() => new(Of("best"));

        public ValueTask Forget(SharedBlockText symbol)
        {
            if (symbol.Text.Length == 0)
            {
                throw new InvalidOperationException("no name");
            }
            Noted.Add($"forgot {symbol.Text}");
            return default;
        }

        public ValueTask Note(SharedBlockText symbol, CancellationToken cancellationToken)
        {
            Noted.Add($"noted {symbol.Text}");
            return default;
        }

        public async IAsyncEnumerable<SharedBlockText> Follow(
            SharedBlockText symbol, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            for (int number = 0; number < 3; number++)
            {
                await Task.Yield();
                yield return Of($"{symbol.Text}{number}");
            }
        }
    }
}
