using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;

namespace BlitQueue.Hosting.Tests;

/// <summary>Hosts as processes of their own.</summary>
public abstract class PeerFixture : HostFixture
{
    private const int Terminate = 15, GoOn = 18, StopIt = 19;

    private static readonly string Program = typeof(PeerFixture).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(static attribute => attribute.Key == "PeerPath").Value!;

    private string LogPath => FileOf("log");

    protected Process Start(int milliseconds, string mode, int seconds, params string[] more) =>
        Start([LogPath, $"{milliseconds}", mode, $"{seconds}", .. more]);

    private Process Start(string[] arguments) => Process.Start(new ProcessStartInfo(
        Path.GetFileNameWithoutExtension(Environment.ProcessPath!) == "dotnet" ? Environment.ProcessPath! : "dotnet",
        ["exec", Program, QueuePath, .. arguments])
    {
        RedirectStandardOutput = true,
    })!;

    /// <summary>A process that is stopped inside of an append.</summary>
    protected async Task<Process> StartStoppedAsync()
    {
        Process peer = Start(["sends"]);
        await UntilAsync(() => Status().Subscriptions[0].Dropped > 0);
        while (true)
        {
            Assert.Equal(0, Signal(peer.Id, StopIt));
            await UntilAsync(() => File.ReadAllText($"/proc/{peer.Id}/stat").Split(')')[^1].StartsWith(" T", StringComparison.Ordinal));
            // docs/FORMAT.md, word "append lock": who holds it.
            if (WordOf("queue.control", 1024) != 0)
            {
                return peer;
            }
            Assert.Equal(0, Signal(peer.Id, GoOn));
            await Task.Delay(1);
        }
    }

    private long WordOf(string file, long offset)
    {
        using FileStream read = File.Open(Path.Combine(QueuePath, file), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        byte[] word = new byte[sizeof(long)];
        read.Position = offset;
        read.ReadExactly(word);
        return BitConverter.ToInt64(word);
    }

    protected static async Task StopAsync(Process peer)
    {
        Assert.Equal(0, Signal(peer.Id, Terminate));
        using var giveUp = new CancellationTokenSource(Patience);
        try
        {
            string said = await peer.StandardOutput.ReadToEndAsync(giveUp.Token);
            await peer.WaitForExitAsync(giveUp.Token);
            Assert.Equal((0, "stopped\n"), (peer.ExitCode, said));
        }
        finally
        {
            peer.Kill();
        }
    }

    protected List<int> Begun() => Read("begin ");

    protected List<int> Ended() => Read("end ");

    private List<int> Read(string word) => !File.Exists(LogPath)
        ? []
        : [.. File.ReadAllText(LogPath).Split('\n')[..^1].Where(line => line.StartsWith(word, StringComparison.Ordinal))
            .Select(line => int.Parse(line.AsSpan(word.Length), System.Globalization.CultureInfo.InvariantCulture))];

    [DllImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static extern int Signal(int process, int signal);
}
