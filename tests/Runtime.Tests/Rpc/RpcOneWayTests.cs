using System.Collections.Concurrent;

namespace BlitQueue.Tests.Processes;

/// <summary>One-way calls that no server takes, or not at once. Each way to send is tested: on a thread, and without one.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcOneWayTests : IDisposable
{
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(100);

    private readonly Site _site = new(inMemory: true);
    private readonly ConcurrentQueue<long> _seen = new();

    private string File => _site.Queue;

    private RpcClient<Parcel, Parcel> Open(TimeSpan timeout) =>
        RpcClient<Parcel, Parcel>.OpenFile(File, new RpcClientOptions { Timeout = timeout, CallsInFlight = 1 });

    private static Task SendAsync(
        RpcClient<Parcel, Parcel> client, long number, bool isAsync, CancellationToken cancellationToken = default)
    {
        Parcel request = new Parcel().Fill(1, number, 100);
        return isAsync ? client.SendAsync(request, cancellationToken).AsTask()
            : Task.Run(() => client.Send(request, cancellationToken), CancellationToken.None);
    }

    private Serving Note() => new(File, (Parcel request, Parcel? _, RpcContext _) =>
    {
        _seen.Enqueue(request.Number);
        return request;
    });

    // What is taken is answered first.
    private void RequireSeen(params long[] numbers)
    {
        using (Serving server = Note())
        using (RpcClient<Parcel, Parcel> client = Open(Timeout.InfiniteTimeSpan))
        {
            client.Call(new Parcel().Fill(1, 100, 100));
            server.Stop();
        }
        Assert.Equal([.. numbers, 100], _seen);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Without_a_server_it_ends_by_its_time_and_no_server_gets_it_later(bool isAsync)
    {
        using RpcClient<Parcel, Parcel> client = Open(Moment);
        // The second needs the first one's cell.
        for (int number = 1; number <= 2; number++)
        {
            RpcTimeoutException late = Assert.Throws<RpcTimeoutException>(() => Soon.Of(SendAsync(client, number, isAsync)));
            Assert.Equal((false, QueueError.TimedOut), (late.WasTaken, late.Reason));
        }
        RpcStatistics counted = client.GetStatistics();
        Assert.Equal((2, 2, 0, 0), (counted.Calls, counted.TimedOut, counted.Answers, counted.InFlight));
        RequireSeen();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Without_a_server_it_ends_by_its_token_and_no_server_gets_it_later(bool isAsync)
    {
        using RpcClient<Parcel, Parcel> client = Open(Timeout.InfiniteTimeSpan);
        using var cancelled = new CancellationTokenSource();
        Task sent = SendAsync(client, 1, isAsync, cancelled.Token);
        AwaitOne(client);
        cancelled.Cancel();
        Assert.ThrowsAny<OperationCanceledException>(() => Soon.Of(sent));
        Assert.Equal((1, 0), (client.GetStatistics().Cancelled, client.GetStatistics().InFlight));
        RequireSeen();
    }

    private static void AwaitOne(RpcClient<Parcel, Parcel> client) =>
        Assert.True(SpinWait.SpinUntil(() => client.GetStatistics().InFlight == 1, Peer.Patience));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void It_waits_for_a_server_and_ends_when_that_takes_it(bool isAsync)
    {
        using RpcClient<Parcel, Parcel> client = Open(Timeout.InfiniteTimeSpan);
        Task sent = SendAsync(client, 1, isAsync);
        AwaitOne(client);
        Thread.Sleep(20);
        Assert.False(sent.IsCompleted);
        using (Serving server = Note())
        {
            Soon.Of(sent);
            server.Stop();
        }
        Assert.Equal((1, 0), (client.GetStatistics().Answers, client.GetStatistics().InFlight));
        RequireSeen(1);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void It_is_lost_with_the_last_server_if_that_has_not_taken_it(bool isAsync)
    {
        using var isBusy = new ManualResetEventSlim();
        using var goesOn = new ManualResetEventSlim();
        using var server = new Serving(File, (Parcel request, Parcel? _, RpcContext _) =>
        {
            isBusy.Set();
            goesOn.Wait(Peer.Patience);
            return request;
        });
        using RpcClient<Parcel, Parcel> other = Open(Timeout.InfiniteTimeSpan), client = Open(Timeout.InfiniteTimeSpan);
        Task first = SendAsync(other, 1, isAsync);
        Assert.True(isBusy.Wait(Peer.Patience));
        // A one-way call is over for its client when the handler begins.
        Soon.Of(first);
        Task second = SendAsync(client, 2, isAsync);
        AwaitOne(client);
        server.Server.Dispose();
        goesOn.Set();
        PeerLostException lost = Assert.Throws<PeerLostException>(() => Soon.Of(second));
        Assert.Equal((false, QueueError.PeerLost), (lost.WasTaken, lost.Reason));
        Assert.Equal((1, 0), (client.GetStatistics().PeersLost, client.GetStatistics().InFlight));
        RequireSeen();
    }

    public void Dispose() => _site.Dispose();
}
