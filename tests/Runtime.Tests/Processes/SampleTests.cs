using System.Diagnostics;
using System.Reflection;

namespace BlitQueue.Tests.Processes;

/// <summary>The samples do what README.md says of them.</summary>
[Collection(ProcessCollection.Name)]
public sealed class SampleTests : IDisposable
{
    private const string Send = "Hello/Send", Receive = "Hello/Receive", Quickstart = "Quickstart";

    private readonly Site _site = new();

    public void Dispose() => _site.Dispose();

    [Fact]
    public void A_greeting_is_received_after_its_sender_has_ended()
    {
        Assert.Equal("sent a greeting from Ada\n", Run(Send, "Ada"));
        Assert.StartsWith("received a greeting from Ada, sent at ", Run(Receive), StringComparison.Ordinal);
    }

    [Fact]
    public void A_receiver_that_is_first_waits_for_the_greeting()
    {
        using Process receiver = Start(Receive);
        while (!File.Exists(Path.Combine(_site.Root, "blitqueue-hello", "queue.meta")))
        {
            Assert.False(receiver.WaitForExit(TimeSpan.FromMilliseconds(1)), "It did not wait.");
        }
        Run(Send, "Ada");
        Assert.StartsWith("received a greeting from Ada, sent at ", End(receiver), StringComparison.Ordinal);
    }

    [Fact]
    public void The_quickstart_rebuilds_a_folder()
    {
        string folder = Directory.CreateDirectory(Path.Combine(_site.Root, "input", "below")).Parent!.FullName;
        File.WriteAllText(Path.Combine(folder, "text"), "one\ntwo\r\n\nfour, without an end");
        File.WriteAllBytes(Path.Combine(folder, "below", "bytes"), [0xFF, (byte)'\n', 0xFE]);
        File.WriteAllBytes(Path.Combine(folder, "long"), new byte[3_000_000]);
        File.WriteAllText(Path.Combine(folder, "empty"), "");
        Assert.EndsWith("\n4 files, all SHA-256 equal\n", Run(Quickstart, folder), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10_000)]
    public void The_quickstart_loses_nothing_when_both_processes_are_killed(int lines)
    {
        string file = Path.Combine(_site.Root, "lines");
        File.WriteAllLines(file, Enumerable.Range(0, lines).Select(static number => $"line {number}"));
        string said = Run(Quickstart, file, "--kill");
        Assert.Contains("killed the consumer", said, StringComparison.Ordinal);
        Assert.Contains("killed the producer", said, StringComparison.Ordinal);
        Assert.EndsWith("\n1 file, all SHA-256 equal\n", said, StringComparison.Ordinal);
    }

    [Fact]
    public void The_quickstart_reads_standard_input_and_leaves_nothing_behind()
    {
        using Process quickstart = Start(Quickstart, "-");
        quickstart.StandardInput.Write("one\ntwo");
        Assert.EndsWith("\n1 file, all SHA-256 equal\n", End(quickstart), StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_site.Root));
    }

    private string Run(string sample, params string[] arguments)
    {
        using Process process = Start(sample, arguments);
        return End(process);
    }

    // The samples' temporary directory is the test's own. Windows looks at TMP.
    private Process Start(string sample, params string[] arguments)
    {
        string program = Path.Combine(Built("SamplesPath"), sample, Built("SamplesOutput"), Path.GetFileName(sample) + ".dll");
        var start = new ProcessStartInfo(Environment.ProcessPath!, [program, .. arguments])
        {
            Environment = { ["TMPDIR"] = _site.Root, ["TMP"] = _site.Root },
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        return Process.Start(start)!;
    }

    private static string Built(string name) =>
        typeof(SampleTests).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(fact => fact.Key == name).Value!;

    private static string End(Process process)
    {
        process.StandardInput.Close();
        using var watchdog = new Timer(_ => process.Kill(entireProcessTree: true), null, Peer.Patience, Timeout.InfiniteTimeSpan);
        string said = process.StandardOutput.ReadToEnd().ReplaceLineEndings("\n");
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, $"It ended with {process.ExitCode} and said: {said}");
        return said;
    }
}
