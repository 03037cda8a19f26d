using BlitQueue.Mutations;
using BlitQueue.Reliability.Workers;
using BlitQueue.Shapes;

namespace BlitQueue.Reliability.Fuzzing;

/// <summary>
/// Feeds mutated bytes to everything that reads some: packed messages of every kind of member, and the formats of the queue's files.
/// </summary>
internal sealed class FuzzCampaign : IWatchedCampaign
{
    // A round of mutations of one message type.
    private const int RoundLength = 256;

    // Of these many are large, and one takes as long as hundreds of others: so few of the parts are of them.
    private const int SwollenLength = 32;

    private readonly FormatFuzz _formats = new();
    private readonly LogFuzz _logs = new();
    private Campaign? _messages;
    private Swelling? _swelling;

    public string Name => "fuzz";

    public string Claim =>
        "Packed messages of every kind of member, property blocks, schemas, queue.meta, the slot of transactions, and records with checks "
        + "that fit again, are mutated: by random, and by every single change that lengths and counts trip over; and messages are made of "
        + "as many of the smallest elements as fit into a megabyte: nulls of large structs, empty collections, compressed zeros. What "
        + "reads them gives a value that packs again, or the one exception that is meant for it, and allocates for a message no more than "
        + "64 MiB or 100 times the bytes, whichever is more; for what else a file holds, no more than 160 MiB.";

    // What each message takes is counted by itself. Arrays of tens of megabytes, each of another size, leave gaps that no other one
    // fits into.
    public long HeapLimit => 4L << 30;

    public IReadOnlyList<Aim> Aims => [new("inputs", 100_000, 10_000_000)];

    public void Run(CampaignRun run) => WatchedTrials.Run(run, this, counter: null, block: 32);

    public void Try(CampaignRun run, long part)
    {
        switch (part % 16)
        {
            case 13:
                _swelling ??= new Swelling(run.Seed);
                long overweight = _swelling.Overweight;
                _swelling.Run(part * SwollenLength, SwollenLength);
                run.Count("swollen messages of fewer bytes when packed again, too few for their memory", _swelling.Overweight - overweight);
                run.Count("inputs", SwollenLength);
                run.Count("swollen messages", SwollenLength);
                run.Highest("most bytes allocated for one swollen message", _swelling.MostAllocated);
                break;
            case 14:
                run.Count("inputs", _formats.Run(run, run.RandomOf(part), part));
                break;
            case 15:
                run.Count("inputs", _logs.Run(run, run.RandomOf(part), part));
                break;
            default:
                _messages ??= new Campaign(run.Seed, typeof(Values).Assembly);
                _messages.Run(part * RoundLength, RoundLength);
                run.Count("inputs", RoundLength);
                run.Count("packed messages", RoundLength);
                break;
        }
    }
}
