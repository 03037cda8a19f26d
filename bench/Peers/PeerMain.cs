using System.Collections.Concurrent;
using System.Text.Json;
using BlitQueue.Bench.Links;

namespace BlitQueue.Bench.Peers;

/// <summary>The second process, from inside: a task a line, until the input ends.</summary>
internal static class PeerMain
{
    public static int Run()
    {
        using var tasks = new BlockingCollection<PeerTask>();
        new Thread(() => ReadTasks(tasks)) { IsBackground = true }.Start();
        foreach (PeerTask task in tasks.GetConsumingEnumerable())
        {
            Transport transport = Transports.Get(task.Transport);
            ReceiveResult result = task.Answers
                ? transport.Answer(task.Place, SayOpened)
                : transport.Receive(task.Place, SayOpened);
            Console.WriteLine(JsonSerializer.Serialize(result));
        }
        return 0;
    }

    // A thread of its own: the first process may end while this one waits, or spins, for its next message.
    private static void ReadTasks(BlockingCollection<PeerTask> tasks)
    {
        while (Console.ReadLine() is { } line)
        {
            tasks.Add(JsonSerializer.Deserialize<PeerTask>(line)!);
        }
        Environment.Exit(0);
    }

    private static void SayOpened() => Console.WriteLine("opened");
}
