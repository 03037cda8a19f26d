using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>A user without rights opens a queue; one with rights joins.</summary>
internal static class AnotherUser
{
    private static readonly string[] Nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];

    public static void Run(string root)
    {
        if (OperatingSystem.IsWindows())
        {
            throw new PlatformNotSupportedException("Rights of files are those of Unix here.");
        }
        string path = Path.Combine(root, "queue");
        using var queue = MappedQueue<Item>.Open(path, SystemWorker.Small);
        SystemWorker.Fill(queue, 0, 20, 6000);
        queue.Subscribe("other").Dispose();
        foreach (string file in Directory.GetFiles(path))
        {
            SystemWorker.Require(
                File.GetUnixFileMode(file) == (UnixFileMode)0b110_000_000, $"{file} has the rights {File.GetUnixFileMode(file)}");
        }
        SystemWorker.Require(
            File.GetUnixFileMode(path) == (UnixFileMode)0b111_000_000, $"{path} has the rights {File.GetUnixFileMode(path)}");
        (string opened, string read) = Open(path);
        SystemWorker.Require(IsRefusal(opened, path) && IsRefusal(read, path), $"another user is told: {opened}; as a reader: {read}");

        string shared = Path.Combine(root, "shared");
        using var forReading = MappedQueue<Item>.Open(shared, SystemWorker.Small with { FileMode = (UnixFileMode)0b110_100_100 });
        (opened, read) = Open(shared);
        SystemWorker.Require(IsRefusal(opened, shared) && read == "ok", $"who may only read is told: {opened}; as a reader: {read}");

        string open = Path.Combine(root, "open");
        using var forAll = MappedQueue<Item>.Open(open, SystemWorker.Small with { FileMode = (UnixFileMode)0b110_110_110 });
        using (var peer = new SystemPeer(Nobody, "use", open))
        {
            peer.Next();
            SystemWorker.Require(peer.Tell("enqueue 7") == "ok", "who may write cannot enqueue");
        }
        SystemWorker.DrainAll(forAll, 7, 1);
        SystemWorker.DrainAll(queue, 0, 20);
    }

    private static (string Opened, string Read) Open(string path)
    {
        using var peer = new SystemPeer(Nobody, "open", path);
        return (peer.Next() ?? "nothing", peer.Next() ?? "nothing");
    }

    private static bool IsRefusal(string said, string path) =>
        said.StartsWith("QueueException", StringComparison.Ordinal) && said.Contains(path, StringComparison.Ordinal)
            && said.Contains("right", StringComparison.Ordinal);
}
