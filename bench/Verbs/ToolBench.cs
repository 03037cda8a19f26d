using System.Diagnostics;
using System.Globalization;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Verbs;

/// <summary>
/// What the command line tool takes: from the start of <c>stat</c> to its end, and the memory in which messages are exported and imported.
/// </summary>
internal static class ToolBench
{
    public const string Verb = "tool";

    private const int Starts = 41;
    private static readonly long[] Counts = [1_000_000, 10_000_000];
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    /// <param name="arguments">The tool to run, without which it is the one built beside this program; and <c>--quick</c>.</param>
    public static int Run(string[] arguments)
    {
        bool isQuick = arguments.Contains("--quick");
        string tool = arguments.FirstOrDefault(static one => one != "--quick") ?? ToolProcess.Program
            ?? throw new ArgumentException("There is no blitq beside this program: name one.");
        using var scratch = new ScratchDirectory(onDisk: true);
        Start(tool, scratch.Path);
        Console.WriteLine(
            "\n| messages | seconds | `export`, memory of its own, MB | `import`, memory of its own, MB | the same messages |\n"
                + "|--:|--:|--:|--:|---|");
        foreach (long count in Counts)
        {
            Transfer(tool, scratch.Path, isQuick ? count / 100 : count);
        }
        return 0;
    }

    private static void Start(string tool, string root)
    {
        string path = Path.Combine(root, "status");
        using (var queue = MappedQueue<RawMessage>.Open(path))
        {
            queue.Enqueue([1]);
        }
        double[] times = [.. Enumerable.Range(0, Starts).Select(_ => Time(tool, "stat", path)).Order()];
        Console.WriteLine("| `stat`, from its start to its end, ms | |\n|---|--:|");
        Tell("the fastest", times[0]);
        Tell("the median", times[Starts / 2]);
        Tell("the slowest", times[^1]);
    }

    private static void Tell(string what, double milliseconds) =>
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {what} of {Starts} | {milliseconds:N0} |"));

    private static double Time(string tool, params string[] arguments)
    {
        long began = Stopwatch.GetTimestamp();
        using Process process = Process.Start(new ProcessStartInfo(tool, arguments) { RedirectStandardOutput = true })!;
        process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        TimeSpan taken = Stopwatch.GetElapsedTime(began);
        return process.ExitCode == 0
            ? taken.TotalMilliseconds
            : throw new InvalidOperationException($"{tool} ended with {process.ExitCode}.");
    }

    private static void Transfer(string tool, string root, long count)
    {
        string from = Path.Combine(root, "from"), to = Path.Combine(root, "to");
        Fill(from, count);
        long began = Stopwatch.GetTimestamp();
        using Process export = Process.Start(new ProcessStartInfo(tool, ["export", from]) { RedirectStandardOutput = true })!;
        using Process import = Process.Start(new ProcessStartInfo(tool, ["import", to, "--create"]) { RedirectStandardInput = true })!;
        var copying = Task.Run(() =>
        {
            export.StandardOutput.BaseStream.CopyTo(import.StandardInput.BaseStream);
            import.StandardInput.Close();
        });
        long exports = 0, imports = 0;
        while (!import.WaitForExit(Pause))
        {
            (exports, imports) = (Math.Max(exports, Own(export)), Math.Max(imports, Own(import)));
        }
        copying.Wait();
        export.WaitForExit();
        double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        string same = export.ExitCode == 0 && import.ExitCode == 0 && AreSame(from, to, count) ? "yes" : "**no**";
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"| {count:N0} | {seconds:N0} | {exports / 1e6:N0} | {imports / 1e6:N0} | {same} |"));
        MappedQueue.Delete(from);
        MappedQueue.Delete(to);
    }

    private static void Fill(string path, long count)
    {
        using var queue = MappedQueue<RawMessage>.Open(path);
        byte[] message = new byte[48];
        for (long number = 0; number < count; number++)
        {
            BitConverter.TryWriteBytes(message, number);
            if (number % 10 == 0)
            {
                queue.Enqueue(new RawMessage(message), new MessageProperties { Label = "tenth" });
            }
            else
            {
                queue.Enqueue(message);
            }
        }
    }

    // Positions differ where a queue was recovered or purged before; here they are the same, too.
    private static bool AreSame(string from, string to, long count)
    {
        using var ours = MappedQueue<RawMessage>.Open(from);
        using var theirs = MappedQueue<RawMessage>.Open(to);
        RawMessage? one = null, other = null;
        MessageProperties properties = new(), others = new();
        for (long number = 0; number < count; number++)
        {
            if (!ours.TryDequeue(ref one, properties) || !theirs.TryDequeue(ref other, others)
                || !one.Bytes.SequenceEqual(other.Bytes) || properties.Label != others.Label || BitConverter.ToInt64(other.Bytes) != number)
            {
                return false;
            }
        }
        return !theirs.TryDequeue(ref other);
    }

    // Without mapped files, of which there are as many as the queue keeps, whatever their number in all.
    private static long Own(Process process)
    {
        try
        {
            string line = File.ReadLines($"/proc/{process.Id}/status")
                .First(static one => one.StartsWith("RssAnon", StringComparison.Ordinal));
            return 1024 * long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture);
        }
        catch (Exception exception) when (exception is IOException or InvalidOperationException)
        {
            // It has ended.
            return 0;
        }
    }
}
