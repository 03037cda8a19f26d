using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

/// <summary>Producers and consumers that are killed again and again at random moments, also while they open the queue.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RandomKillTests(ITestOutputHelper output)
{
    private const int Kills = 150, LongestLife = 150;

    [Fact]
    public void Consumers_and_producers_killed_at_random_lose_at_most_what_a_consumer_had_in_hand() =>
        KillAtRandom(seed: 1, checksum: true, "produce", "batch", "consume", "consume");

    [Fact]
    public void Consumers_with_leases_and_producers_killed_at_random_lose_nothing() =>
        KillAtRandom(seed: 2, checksum: false, "produce", "batch", "lease", "lease");

    // Without checksums a torn message would come out, and show itself; with them it would be an exception.
    private void KillAtRandom(int seed, bool checksum, params string[] commands)
    {
        var random = new Random(seed);
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site, new QueueOptions { SegmentSize = 1 << 16, Checksum = checksum }).WarmUp();
        int started = 0, beforeReady = 0;
        Peer[] crew = [.. commands.Select(command => StartWorker(site, command, ++started))];
        int[] numbers = [.. Enumerable.Range(1, crew.Length)];
        try
        {
            for (int kill = 0; kill < Kills; kill++)
            {
                Thread.Sleep(random.Next(LongestLife));
                int victim = random.Next(crew.Length);
                crew[victim].Kill();
                survivor.GoOn();
                crew[victim].WaitForDeath();
                beforeReady += crew[victim].Output.Length == 0 ? 1 : 0;
                NoteDeath(survivor.History, commands[victim], crew[victim], numbers[victim]);
                crew[victim].Dispose();
                numbers[victim] = ++started;
                crew[victim] = StartWorker(site, commands[victim], started);
            }
            foreach (Peer worker in crew)
            {
                worker.WaitFor("ready").Finish();
                survivor.History.ReadLog(worker.LogPath);
            }
            survivor.Drain();
            output.WriteLine($"{Kills} kills, {beforeReady} of them before the queue was open; {survivor.History.Deliveries} deliveries; seed {seed}.");
            survivor.Report(output);
            survivor.AssertNoFaults();
        }
        finally
        {
            Array.ForEach(crew, static peer => peer.Dispose());
        }
    }

    // The capacity keeps producers from running away from consumers that are being started.
    private static Peer StartWorker(Site site, string command, int number) =>
        Peer.Start(site, command, $"producer={number}", "size=700", "capacity=400000");

    private static void NoteDeath(History history, string command, Peer peer, int number)
    {
        history.ReadLog(peer.LogPath);
        switch (command)
        {
            case "produce":
                history.KilledProducer(number, 1);
                break;
            case "batch":
                history.KilledProducer(number, 3);
                history.Batches(number, 3);
                break;
            case "consume":
                history.MayLack++;
                break;
            default:
                history.KilledConsumer(peer.LogPath);
                break;
        }
    }
}
