using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Requests;

/// <summary>Clients of this process with a thousand open calls each, and servers in two others.</summary>
internal sealed class RequestsCrowd(CampaignRun run, PeerPool pool, int clients)
{
    /// <summary>How many calls of a client are open at a time.</summary>
    public const int Calls = 1000;

    // Only calls that hang take so long.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    public void Try()
    {
        using var site = new Site(inMemory: true);
        using PeerProcess onPool = Start(site, "rpc-serve"), onThread = Start(site, "rpc-spin");
        RpcClient<Parcel, Parcel>[] all =
        [
            .. Enumerable.Range(0, clients).Select(_ => RpcClient<Parcel, Parcel>.OpenFile(
                site.Queue, new RpcClientOptions { CallsInFlight = Calls, Blocks = 0, Timeout = 2 * Patience })),
        ];
        try
        {
            var called = Task.WhenAll(all.SelectMany((client, producer) =>
                Enumerable.Range(0, Calls).Select(number => CallAsync(client, producer, number))));
            if (Task.WaitAny([called], Patience) < 0)
            {
                run.Violate("a call of the crowd hangs");
                return;
            }
            called.GetAwaiter().GetResult();
            RequireAnswered(all);
        }
        finally
        {
            Array.ForEach(all, static client => client.Dispose());
        }
        long answered = Finish(onPool) + Finish(onThread);
        if (answered != clients * Calls)
        {
            run.Violate($"the servers have answered {answered} calls, and {clients * Calls} were made");
        }
    }

    private PeerProcess Start(Site site, string command) =>
        pool.Take().Employ(site.Queue, site.NewLog(), command, failPoint: "", failSync: "", ["counts=1"]).WaitFor("ready");

    private async Task CallAsync(RpcClient<Parcel, Parcel> client, int producer, int number)
    {
        Parcel reply = await client.CallAsync(new Parcel().Fill(producer, number, number % 100));
        if (reply.Producer != producer || reply.Number != number || reply.Length != number % 100 || !reply.IsIntact())
        {
            run.Violate($"call {producer}.{number} of the crowd was answered by {reply.Producer}.{reply.Number}");
        }
        run.Count("calls of a crowd");
    }

    private void RequireAnswered(RpcClient<Parcel, Parcel>[] all)
    {
        foreach (RpcStatistics one in all.Select(static client => client.GetStatistics()))
        {
            if (one.Answers != Calls || one.Calls != Calls || one.InFlight != 0)
            {
                run.Violate($"a client of the crowd has made {Calls} calls, and {one} is counted");
            }
        }
    }

    // How many calls it has answered.
    private static long Finish(PeerProcess server)
    {
        server.Finish();
        const string before = "answered ";
        string said = server.Output;
        return long.Parse(said.AsSpan(said.IndexOf(before, StringComparison.Ordinal) + before.Length).Trim(), provider: null);
    }
}
