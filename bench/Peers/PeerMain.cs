using System.Text.Json;
using BlitQueue.Bench.Links;

namespace BlitQueue.Bench.Peers;

/// <summary>The second process, from inside: a task a line, until the input ends.</summary>
internal static class PeerMain
{
    public static int Run()
    {
        while (Console.ReadLine() is { } line)
        {
            PeerTask task = JsonSerializer.Deserialize<PeerTask>(line)!;
            Transport transport = Transports.Get(task.Transport);
            ReceiveResult result = task.Answers
                ? transport.Answer(task.Place, SayOpened)
                : transport.Receive(task.Place, SayOpened);
            Console.WriteLine(JsonSerializer.Serialize(result));
        }
        return 0;
    }

    private static void SayOpened() => Console.WriteLine("opened");
}
