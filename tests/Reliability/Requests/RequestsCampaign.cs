using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Requests;

/// <summary>Servers of calls are killed and stopped at random while clients call.</summary>
internal sealed class RequestsCampaign : ICampaign
{
    private const int Spares = 4, ShortCrowd = 10, LongCrowd = 100, RoundsPerStops = 5, StopsAt = 2;

    public string Name => "requests";

    public string Claim =>
        "Clients call servers in other processes, with short and long messages, on threads and without. Servers and clients are killed "
        + "at random moments, and servers are stopped and let go; calls are cancelled, late, awaited late, or streams. Every call ends "
        + "with its own reply, or by an exception that says why; none waits for the dead, and clients that were killed leave no file. At "
        + "first a crowd of clients has a thousand calls open each, of which each is answered once, with its own reply. In some rounds "
        + "clients are stopped in the middle of long requests and replies, more of them than a server waits for without a thread; servers "
        + "that answer on threads are killed, closed and opened again; and what each call was told is compared with what handlers saw.";

    public IReadOnlyList<Aim> Aims { get; } = [
        new Aim("kills of servers", 40, 300), new Aim("kills of clients", 5, 40), new Aim("calls", 10_000, 50_000),
        new Aim("stops of clients", 10, 100), new Aim("calls beside stopped clients", 100, 1000),
        new Aim("calls of a crowd", RequestsCrowd.Calls * ShortCrowd, RequestsCrowd.Calls * LongCrowd)];

    public void Run(CampaignRun run)
    {
        using var pool = new PeerPool(Spares);
        run.TryParts(part => Try(run, part, pool));
    }

    private static void Try(CampaignRun run, long part, PeerPool pool)
    {
        if (part == 1)
        {
            new RequestsCrowd(run, pool, run.IsLong ? LongCrowd : ShortCrowd).Try();
        }
        else if (part % RoundsPerStops == StopsAt)
        {
            new RequestsStops(run, part, pool).Try();
        }
        else
        {
            new RequestsRound(run, part, pool).Try();
        }
    }
}
