using BlitQueue.Peer.Mixed;

namespace BlitQueue.Peer;

/// <summary>
/// Several workers in this process, each on a thread of its own, as a file says: one line for each, with its arguments separated by tabs.
/// They share as many handles to the queue as the option <c>handles</c> says.
/// </summary>
internal sealed class Threads(Arguments arguments, CancellationTokenSource inputEnded)
{
    public const string Command = "threads";

    public void Run()
    {
        Arguments[] jobs = [.. File.ReadLines(arguments.Text("plan")).Select(static line => new Arguments(line.Split('\t')))];
        using var canary = new Canary(arguments.LogPath);
        Handle[] shared = [.. Enumerable.Range(0, (int)arguments.Number("handles", 1)).Select(_ => new Handle(jobs[0]))];
        var failures = new List<Exception>();
        Thread[] threads = [.. jobs.Select((job, i) => new Thread(() => Work(job, shared[i % shared.Length], failures)))];
        Array.ForEach(threads, static thread => thread.Start());
        Array.ForEach(threads, static thread => thread.Join());
        Array.ForEach(shared, static handle => handle.Dispose());
        if (failures.Count > 0)
        {
            throw new AggregateException(failures);
        }
    }

    private void Work(Arguments job, Handle handle, List<Exception> failures)
    {
        try
        {
            if (job.Command.StartsWith(MixedWorker.Prefix, StringComparison.Ordinal))
            {
                MixedWorker.Run(job, inputEnded.Token, handle);
                return;
            }
            using var worker = new Worker(job, inputEnded, handle.Queue<Parcel>());
            worker.Run();
        }
        catch (Exception exception)
        {
            lock (failures)
            {
                failures.Add(exception);
            }
        }
    }
}
