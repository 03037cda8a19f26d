using System.Diagnostics;
using BlitQueue.Peer;
using BlitQueue.Peer.Mixed;
using BlitQueue.Reliability.Kills;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Mixed;

/// <summary>One queue, on which for a short time everything is done at once; then it is emptied, and the checker judges.</summary>
internal sealed class MixedPart(CampaignRun run, long part, PeerPool pool)
{
    /// <summary>Four ways to have room, each with three kinds of messages and three ways to spread the threads over processes.</summary>
    public const int Variations = 12;

    // The last part of the time is without seeks and purges: what is enqueued then must come.
    private static readonly TimeSpan Length = TimeSpan.FromSeconds(2), Calm = TimeSpan.FromMilliseconds(700);

    private readonly Random _random = run.RandomOf(part);

    public void Try()
    {
        using var trial = new Trial(run, $"--part {part}", pool, inMemory: _random.Next(3) != 0);
        trial.NoteExact();
        trial.NoteGroup(MixedJobs.Sought, "sought");
        trial.NoteGroup(MixedJobs.Remade, "remade");
        switch (part / 4 % 3)
        {
            case 0:
                Try<Parcel>(trial);
                break;
            case 1:
                Try<Prickly>(trial);
                break;
            default:
                Try<Wrapped>(trial);
                break;
        }
    }

    private void Try<T>(Trial trial)
        where T : class, IParcel, IPackable<T>
    {
        FullMode? room = (part % 4) switch { 0 => null, 1 => FullMode.Wait, 2 => FullMode.Fail, _ => FullMode.DropOldest };
        var options = new QueueOptions
        {
            SegmentSize = 1 << 16,
            UseChecksums = _random.Next(2) == 0,
            Capacity = room is null ? null : 600_000 + _random.Next(1_500_000),
            FullMode = room ?? FullMode.Wait,
        };
        using (var queue = MappedQueue<T>.Open(trial.Queue, options))
        {
            Array.ForEach(MixedJobs.Lasting, group => queue.Subscribe(group));
        }
        long now = Stopwatch.GetTimestamp(), end = now + (long)(Length.TotalSeconds * Stopwatch.Frequency);
        long calm = end - (long)(Calm.TotalSeconds * Stopwatch.Frequency);
        var jobs = new MixedJobs(_random, room?.ToString(),
        [
            $"message={typeof(T).Name}", $"segment={options.SegmentSize}", $"checksum={(options.UseChecksums == true ? 1 : 0)}",
            $"full={options.FullMode}",
            .. options.Capacity is { } capacity ? new[] { $"capacity={capacity}" } : [], $"until={end}", $"calm={calm}",
        ]);
        Work(trial, jobs.All());
        Empty<T>(trial, options);
        trial.Judge();
    }

    private void Work(Trial trial, IReadOnlyList<Job> jobs)
    {
        int processes = (part % 3) switch { 1 => 1, 2 => 2 + _random.Next(2), _ => 6 + _random.Next(3) };
        Worker[] crew = [.. Enumerable.Range(0, processes)
            .Select(
                process => Job.Of(
                    [.. jobs.Where((_, i) => i % processes == process)],
                    handles: processes == 1 ? 2 + _random.Next(3) : 1 + _random.Next(2)))
            .Select(job => trial.Employ(job))];
        // Producers first: they may wait for room, which the others make.
        foreach (Worker worker in crew)
        {
            int producers = worker.Job.Threads.Count(static thread => thread.Produces);
            trial.Require(
                SpinWait.SpinUntil(
                    () => worker.Peer.HasExited || worker.Peer.Output.Split("produced").Length > producers, PeerProcess.Patience),
                "a producer still waits for room");
        }
        foreach (Worker worker in crew)
        {
            worker.Peer.EndInput();
        }
        foreach (Worker worker in crew)
        {
            trial.Finish(worker);
        }
    }

    private static void Empty<T>(Trial trial, QueueOptions options)
        where T : class, IParcel, IPackable<T>
    {
        using (var queue = MappedQueue<T>.Open(trial.Queue, options))
        {
            // The letters of what was deleted stay.
            queue.Subscribe(MixedJobs.Remade);
            foreach (string group in (string[])[.. MixedJobs.Lasting, MixedJobs.Remade])
            {
                trial.NoteGroup(group, $"dropped {queue.Subscribe(group).Dropped}");
                using OwnLog log = trial.OpenLog(new Job("drain") { Group = group, TakesLeases = true });
                Drain.Subscription(queue, group, oneStep: false, log);
            }
            queue.DeleteSubscription(MixedJobs.Remade);
            foreach (SubscriptionStatus status in queue.GetStatus().Subscriptions)
            {
                trial.Require(
                    status is { Lag: 0, InFlight: 0 },
                    $"{status.Lag} messages wait and {status.InFlight} are leased in the emptied {status.Name}");
            }
        }
        Baseline.Require<T>(trial, trial.Queue, options);
    }
}
