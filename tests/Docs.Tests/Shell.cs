using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace BlitQueue.Docs;

/// <summary>A shell in which a test types what a page says, line by line; background jobs and the current folder stay.</summary>
internal sealed class Shell : IDisposable
{
    private const string End = "::end ";

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(4);

    private readonly Process _process;

    public Shell(string folder, IReadOnlyDictionary<string, string> environment)
    {
        var start = new ProcessStartInfo("bash", ["--norc"])
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        CommandEnvironment.Set(start, environment);
        _process = Process.Start(start)!;
        // Errors beside the output, as on a screen.
        _process.StandardInput.WriteLine("exec 2>&1");
    }

    /// <summary>Types the lines of a block.</summary>
    /// <returns>What came on the screen.</returns>
    public string Type(string lines)
    {
        _process.StandardInput.Write($"{{\n{lines}\n}} < /dev/null; echo \"{End}$?\"\n");
        _process.StandardInput.Flush();
        using var watchdog = new Timer(_ => _process.Kill(entireProcessTree: true), null, Patience, Timeout.InfiniteTimeSpan);
        var said = new StringBuilder();
        while (_process.StandardOutput.ReadLine() is { } line)
        {
            int end = line.IndexOf(End, StringComparison.Ordinal);
            if (end >= 0)
            {
                said.Append(line[..end]);
                int code = int.Parse(line[(end + End.Length)..], CultureInfo.InvariantCulture);
                Assert.True(code == 0, $"'{lines}' ended with {code}:\n{said}");
                return said.ToString();
            }
            said.Append(line).Append('\n');
        }
        Assert.Fail($"The shell ended in '{lines}':\n{said}");
        return "";
    }

    public void Dispose()
    {
        _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
    }
}
