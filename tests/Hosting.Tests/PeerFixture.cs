using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;

namespace BlitQueue.Hosting.Tests;

/// <summary>Hosts as processes of their own.</summary>
public abstract class PeerFixture : HostFixture
{
    private const int Terminate = 15;

    private static readonly string Program = typeof(PeerFixture).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(static attribute => attribute.Key == "PeerPath").Value!;

    private string LogPath => FileOf("log");

    protected Process Start(int milliseconds, string mode, int seconds, params string[] more) => Process.Start(new ProcessStartInfo(
        Path.GetFileNameWithoutExtension(Environment.ProcessPath!) == "dotnet" ? Environment.ProcessPath! : "dotnet",
        ["exec", Program, QueuePath, LogPath, $"{milliseconds}", mode, $"{seconds}", .. more])
    {
        RedirectStandardOutput = true,
    })!;

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
