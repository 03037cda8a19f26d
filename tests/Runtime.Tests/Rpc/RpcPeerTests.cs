using BlitQueue.Log;

namespace BlitQueue.Tests.Processes;

/// <summary>Calls between processes of which some are killed or stopped.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcPeerTests : IDisposable
{
    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    private RpcClient<Parcel, Parcel> Open(RpcClientOptions? options = null) => RpcClient<Parcel, Parcel>.OpenFile(File, options);

    private static Parcel Of(long number, int length = 100) => new Parcel().Fill(1, number, length);

    [Fact]
    public void A_server_killed_with_a_call_ends_it_and_the_client_knows_that_it_was_taken()
    {
        using RpcClient<Parcel, Parcel> client = Open();
        using Peer server = Peer.Start(_site, "rpc-hang").WaitFor("ready");
        Task<Parcel> awaited = client.CallAsync(Of(1)).AsTask(), onThread = Task.Run(() => client.Call(Of(2)));
        server.WaitFor("took 1.").WaitFor("took 2.");
        server.Kill();
        foreach (Task<Parcel> call in new[] { awaited, onThread })
        {
            PeerLostException lost = Assert.Throws<PeerLostException>(() => Soon.Of(call));
            Assert.True(lost.WasTaken);
            Assert.Equal((server.Id, QueueError.PeerLost), (lost.ProcessId, lost.Reason));
        }
        Assert.Equal(2, client.GetStatistics().PeersLost);
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.CallHintCleared), false)]
    [InlineData(nameof(ProtocolStep.CallTaken), true)]
    [InlineData(nameof(ProtocolStep.CallAnswered), true)]
    public void A_server_killed_at_a_step_has_taken_the_call_or_not(string step, bool wasTaken)
    {
        using RpcClient<Parcel, Parcel> client = Open();
        using Peer server = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), 1, "rpc-serve").WaitFor("ready");
        PeerLostException lost = Assert.Throws<PeerLostException>(() => client.Call(Of(1)));
        Assert.Equal(wasTaken, lost.WasTaken);
        server.WaitForDeath();
        // The client goes on with the next server.
        using Peer next = Peer.Start(_site, "rpc-serve").WaitFor("ready");
        Assert.True(client.Call(Of(2)).IsIntact());
    }

    [Fact]
    public void An_answer_that_is_there_counts_although_its_server_is_dead()
    {
        using RpcClient<Parcel, Parcel> client = Open();
        using Peer server = Peer.StartToDie(_site, ProtocolStep.CallReplied, 1, "rpc-serve").WaitFor("ready");
        Assert.True(client.Call(Of(1)).IsIntact());
        server.WaitForDeath();
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.CallHintCleared))]
    [InlineData(nameof(ProtocolStep.CallTaken))]
    [InlineData(nameof(ProtocolStep.CallAnswered))]
    public void A_successor_answers_where_that_was_asked_for(string step)
    {
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { MaxAttempts = 3 });
        using Peer dead = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), 1, "rpc-serve").WaitFor("ready");
        Task<Parcel> call = client.CallAsync(Of(1)).AsTask();
        dead.WaitForDeath();
        Thread.Sleep(50);
        Assert.False(call.IsCompleted);
        using Peer successor = Peer.Start(_site, "rpc-serve").WaitFor("ready");
        Parcel reply = Soon.Of(call);
        Assert.Equal((1, true), (reply.Number, reply.IsIntact()));
    }

    [Fact]
    public void A_call_that_kills_its_servers_is_tried_as_often_as_it_may()
    {
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { MaxAttempts = 2 });
        Task<Parcel> call = client.CallAsync(Of(1)).AsTask();
        for (int attempt = 0; attempt < 2; attempt++)
        {
            using var server = Peer.StartToDie(_site, ProtocolStep.CallTaken, 1, "rpc-serve");
            server.WaitForDeath();
        }
        Assert.True(Assert.Throws<PeerLostException>(() => Soon.Of(call)).WasTaken);
    }

    [Fact]
    public void Another_server_goes_on_where_one_is_killed()
    {
        using RpcClient<Parcel, Parcel> client = Open();
        using Peer other = Peer.Start(_site, "rpc-serve").WaitFor("ready");
        for (int kill = 0; kill < 3; kill++)
        {
            using Peer dead = Peer.Start(_site, "rpc-serve").WaitFor("ready");
            Task<int>[] calls = [.. Enumerable.Range(0, 8).Select(caller => Task.Run(() => CallMany(client, caller)))];
            Thread.Sleep(5);
            dead.Kill();
            Soon.Of(calls);
        }

        static int CallMany(RpcClient<Parcel, Parcel> client, int caller)
        {
            int lost = 0;
            for (int number = 0; number < 500; number++)
            {
                try
                {
                    Parcel reply = client.Call(new Parcel().Fill(caller, number, 50));
                    Assert.Equal((caller, number, true), (reply.Producer, reply.Number, reply.IsIntact()));
                }
                catch (PeerLostException exception)
                {
                    Assert.True(exception.WasTaken);
                    lost++;
                }
            }
            return lost;
        }
    }

    [Fact]
    public void A_killed_client_leaves_nothing_and_its_handlers_are_told()
    {
        using Peer server = Peer.Start(_site, "rpc-hang").WaitFor("ready");
        using (Peer client = Peer.Start(_site, "rpc-call-hanging", "count=3").WaitFor("calling"))
        {
            server.WaitFor("took 0.").WaitFor("took 2.");
            client.Kill();
        }
        server.WaitFor("cancelled 0.").WaitFor("cancelled 1.").WaitFor("cancelled 2.");
        Assert.True(SpinWait.SpinUntil(() => CallFiles.In(_site).Length == 0, Peer.Patience));
        server.Finish();
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.CallFileMade))]
    [InlineData(nameof(ProtocolStep.CallQueued))]
    public void A_client_killed_at_a_step_leaves_nothing_once_another_comes(string step)
    {
        using (var dead = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), 1, "rpc-call"))
        {
            dead.WaitForDeath();
        }
        Assert.Single(CallFiles.In(_site));
        using var server = Serving.Echo(File);
        Assert.Empty(CallFiles.In(_site));
        using RpcClient<Parcel, Parcel> client = Open();
        Assert.True(client.Call(Of(1)).IsIntact());
        Assert.Equal(1, server.Server.GetStatistics().Calls);
    }

    [Fact]
    public void A_stopped_server_keeps_its_call_which_ends_by_its_time()
    {
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 2 });
        using Peer stopped = Peer.StartToStop(_site, ProtocolStep.CallTaken, 1, "rpc-serve").WaitFor("ready");
        Task<Parcel> first = client.CallAsync(Of(1), timeout: TimeSpan.FromMilliseconds(300)).AsTask();
        stopped.WaitForStop();
        Assert.True(Assert.Throws<RpcTimeoutException>(() => Soon.Of(first)).WasTaken);
        // Another server answers meanwhile: the cell of the first call is not used.
        using (Serving.Echo(File))
        {
            for (int number = 0; number < 100; number++)
            {
                Assert.Equal(number, client.Call(Of(number)).Number);
            }
        }
        stopped.Continue();
        for (int number = 0; number < 100; number++)
        {
            Assert.Equal(number, client.Call(Of(number)).Number);
        }
        stopped.Finish();
    }

    [Fact]
    public void Processes_call_processes_and_each_call_gets_its_own_answer()
    {
        using Peer one = Peer.Start(_site, "rpc-serve").WaitFor("ready"), other = Peer.Start(_site, "rpc-spin").WaitFor("ready");
        Peer[] clients = [.. Enumerable.Range(0, 3).Select(_ => Peer.Start(_site, "rpc-call", "count=3000", "at-once=50"))];
        foreach (Peer client in clients)
        {
            client.WaitFor("called 3000, lost 0");
            Assert.Equal(0, client.WaitForExit());
            client.Dispose();
        }
        one.Finish();
        other.Finish();
        Assert.Empty(CallFiles.In(_site));
    }

    [Fact]
    public void A_stream_whose_server_is_killed_ends_by_name()
    {
        using RpcClient<Parcel, Parcel> client = Open();
        using Peer server = Peer.Start(_site, "rpc-stream").WaitFor("ready");
        var reading = Task.Run(async () =>
        {
            await foreach (Parcel reply in client.StreamAsync(Of(long.MaxValue)))
            {
                if (reply.Number == 100)
                {
                    server.Kill();
                }
            }
        });
        Assert.True(Assert.Throws<PeerLostException>(() => Soon.Of(reading)).WasTaken);
    }

    public void Dispose() => _site.Dispose();
}
