using BlitQueue.Log;

namespace BlitQueue.Tests.Processes;

/// <summary>What went wrong in SharedMemory's RpcBuffer (the behaviour is quoted at each test) must not go wrong here.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcBufferDefects : IDisposable
{
    private const int Block = 1 << 20;

    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    private static Parcel Of(long number, int length) => new Parcel().Fill(1, number, length);

    /// <summary>"Exact multiples of the packet's length: the last packet is not copied. Success, and zeros."</summary>
    [Theory]
    [InlineData(8, 0)]
    [InlineData(8, 1)]
    [InlineData(0, 8)]
    public void D24_requests_and_replies_of_any_length_come_whole(int blocks, int around)
    {
        using Peer server = Peer.Start(_site, "rpc-spin").WaitFor("ready");
        using var client = RpcClient<Parcel, Parcel>.OpenFile(File, new RpcClientOptions { Blocks = blocks, Timeout = Peer.Patience });
        Parcel? reply = null;
        // A parcel has some 30 bytes beside its body: the lengths go over each limit, byte by byte.
        foreach (int limit in new[] { 0, 2048, 4096, 64 * 1024, Block, 2 * Block, 3 * Block })
        {
            for (int length = Math.Max(0, limit - 36 - around); length <= limit + around; length += limit > 4096 ? 9 : 1)
            {
                client.Call(Of(length, length), ref reply);
                Assert.True(reply.Number == length && reply.Length == length && reply.IsIntact(), $"{length}");
            }
        }
        Parcel longest = Soon.Of(client.CallAsync(Of(7, 40_000_000)).AsTask());
        Assert.True(longest.Number == 7 && longest.IsIntact());
        server.Finish();
    }

    /// <summary>"A peer that stalls for 1.3 s: 996 bytes delivered, 224 of them zeros, as complete."</summary>
    [Fact]
    public void D25_a_server_that_stalls_half_way_delivers_whole_messages_or_none()
    {
        using Peer server = Peer.Start(_site, "rpc-serve").WaitFor("ready");
        using var client = RpcClient<Parcel, Parcel>.OpenFile(File, new RpcClientOptions { Blocks = 1, Timeout = Peer.Patience });
        for (int round = 0; round < 3; round++)
        {
            Task<Parcel> call = client.CallAsync(Of(round, 60_000_000)).AsTask();
            Thread.Sleep(10);
            server.Stop();
            Thread.Sleep(100);
            server.Continue();
            Parcel reply = Soon.Of(call);
            Assert.True(reply.Number == round && reply.Length == 60_000_000 && reply.IsIntact());
        }
        server.Finish();
    }

    /// <summary>"A conditional Set of an auto-reset event: 2 messages, 2 infinite readers, 1 hangs."</summary>
    [Fact]
    public void D26_every_caller_is_woken()
    {
        using Peer server = Peer.Start(_site, "rpc-serve").WaitFor("ready");
        using var client = RpcClient<Parcel, Parcel>.OpenFile(
            File, new RpcClientOptions { SpinDuration = TimeSpan.Zero, Timeout = Timeout.InfiniteTimeSpan });
        Soon.Of(
        [
            .. Enumerable.Range(0, 8).Select(caller => Task.Run(() =>
            {
                // A caller that is not woken looks again after 20 ms: so many of them take longer than any patience.
                for (int number = 0; number < 4000; number++)
                {
                    Assert.Equal(number, client.Call(Of(number, 10)).Number);
                }
            })),
        ]);
        server.Finish();
    }

    /// <summary>"The owner is killed between the exchange and its done flag: the ring is stuck for good."</summary>
    [Theory]
    [InlineData(nameof(ProtocolStep.CallHintCleared))]
    [InlineData(nameof(ProtocolStep.CallTaken))]
    [InlineData(nameof(ProtocolStep.CallAnswered))]
    [InlineData(nameof(ProtocolStep.CallReplied))]
    public void D27_a_process_killed_with_a_call_stops_no_other(string step)
    {
        using Peer other = Peer.Start(_site, "rpc-call", "count=2000").WaitFor("ready");
        for (int kill = 0; kill < 3; kill++)
        {
            using var dead = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), 1 + (50 * kill), "rpc-serve");
            dead.WaitForDeath();
        }
        using Peer last = Peer.Start(_site, "rpc-serve").WaitFor("ready");
        other.WaitFor("called 2000");
        Assert.Equal(0, other.WaitForExit());
        last.Finish();
    }

    /// <summary>"Done is published before the length is erased: a new writer's length is erased, and 0 bytes are read."</summary>
    [Fact]
    public void D28_a_reply_is_never_without_its_bytes()
    {
        using Peer server = Peer.Start(_site, "rpc-spin").WaitFor("ready");
        using var client = RpcClient<Parcel, Parcel>.OpenFile(File, new RpcClientOptions { CallsInFlight = 1 });
        Parcel? reply = null;
        for (int number = 0; number < 50_000; number++)
        {
            client.Call(Of(number, number % 100), ref reply);
            Assert.True(reply.Number == number && reply.Length == number % 100 && reply.IsIntact(), $"{number}");
        }
        server.Finish();
    }

    /// <summary>"Indices come again: a stale call clears the flag of a node that is used anew, and all stall for good."</summary>
    [Fact]
    public void D29_a_server_that_was_stopped_while_others_answered_undoes_nothing()
    {
        const int shots = 6, callers = 3;
        using var client = RpcClient<Parcel, Parcel>.OpenFile(File, new RpcClientOptions { CallsInFlight = 2, Blocks = 0 });
        for (int shot = 0; shot < shots; shot++)
        {
            ProtocolStep step = shot % 2 == 0 ? ProtocolStep.CallAnswered : ProtocolStep.CallTaken;
            using Peer stopped = Peer.StartToStop(_site, step, 1, "rpc-serve").WaitFor("ready");
            Task<Parcel> late = client.CallAsync(Of(1, 1000), timeout: TimeSpan.FromMilliseconds(200)).AsTask();
            stopped.WaitForStop();
            Assert.Throws<RpcTimeoutException>(() => Soon.Of(late));
            using var server = Serving.Echo(File);
            using var end = new CancellationTokenSource();
            Task<long>[] calls = [.. Enumerable.Range(0, callers).Select(caller => Task.Run(() => CallUntil(client, caller, end.Token)))];
            Thread.Sleep(20);
            // In the middle of their calls it answers the one that it has.
            stopped.Continue();
            Thread.Sleep(50);
            end.Cancel();
            Soon.Of(calls);
            stopped.Finish();
        }
    }

    private static long CallUntil(RpcClient<Parcel, Parcel> client, int caller, CancellationToken end)
    {
        long number = 0;
        for (; !end.IsCancellationRequested; number++)
        {
            Parcel reply = client.Call(new Parcel().Fill(caller, number, 1000));
            Assert.Equal((caller, number, 1000, true), (reply.Producer, reply.Number, reply.Length, reply.IsIntact()));
        }
        return number;
    }

    /// <summary>"Who joins maps before the header is written; of two who open at once, both are masters, or none."</summary>
    [Fact]
    public void D30_clients_and_servers_may_open_at_once_in_any_order_while_makers_die()
    {
        for (int round = 0; round < 3; round++)
        {
            string step = new[]
            {
                nameof(ProtocolStep.SharedFileMade), nameof(ProtocolStep.SharedFileWritten), nameof(ProtocolStep.SharedFileNamed),
            }[round];
            using Peer dead = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), 1, "rpc-serve"),
                client = Peer.Start(_site, "rpc-call", "count=100"), other = Peer.Start(_site, "rpc-call", "count=100"),
                server = Peer.Start(_site, "rpc-serve"), second = Peer.Start(_site, "rpc-spin");
            client.WaitFor("called 100, lost 0");
            other.WaitFor("called 100, lost 0");
            dead.Kill();
            Assert.Equal((0, 0), (client.WaitForExit(), other.WaitForExit()));
            server.WaitFor("ready").Finish();
            second.WaitFor("ready").Finish();
            Assert.True(SharedObject.DeleteFile(File));
            Assert.Empty(NamedFiles.In(_site.Root, "."));
        }
    }

    /// <summary>The same for threads, which meet in a moment that processes seldom meet in.</summary>
    [Fact]
    public void D30_clients_and_servers_of_one_process_may_open_at_once()
    {
        const int rounds = 300, each = 3;
        for (int round = 0; round < rounds; round++)
        {
            string file = $"{File}{round}";
            using var start = new Barrier(2 * each);
            var clients = new RpcClient<Parcel, Parcel>[each];
            var servers = new RpcServer<Parcel, Parcel>[each];
            Task[] openers = [.. Enumerable.Range(0, 2 * each).Select(index => Task.Factory.StartNew(() =>
            {
                start.SignalAndWait();
                if (index < each)
                {
                    clients[index] = RpcClient<Parcel, Parcel>.OpenFile(file, new RpcClientOptions { CallsInFlight = 1, Blocks = 0 });
                }
                else
                {
                    servers[index - each] = RpcServer<Parcel, Parcel>.OpenFile(file);
                }
            }, TaskCreationOptions.LongRunning))];
            Soon.Of(openers);
            Assert.Equal(each + 1, Directory.GetFiles(_site.Root).Length);
            Array.ForEach(clients, static client => client.Dispose());
            Array.ForEach(servers, static server => server.Dispose());
            Assert.True(SharedObject.DeleteFile(file));
        }
        Assert.Empty(Directory.GetFiles(_site.Root));
    }

    public void Dispose() => _site.Dispose();
}
