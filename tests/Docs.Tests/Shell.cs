using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace BlitQueue.Docs;

/// <summary>A shell in which a test types what a page says, line by line; background jobs and the current folder stay.</summary>
internal sealed class Shell : IDisposable
{
    private const string End = "::end ";

    private readonly Process _process;

    public Shell(string folder, IReadOnlyDictionary<string, string> environment)
    {
        var start = new ProcessStartInfo("bash", ["--norc"]) { WorkingDirectory = folder, RedirectStandardInput = true, RedirectStandardOutput = true };
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }
        (string Name, string Value)[] settings =
        [
            ("DOTNET_CLI_UI_LANGUAGE", "en"), ("DOTNET_NOLOGO", "1"), ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
            ("MSBUILDTERMINALLOGGER", "off"), ("MSBUILDDISABLENODEREUSE", "1"), ("DOTNET_CLI_USE_MSBUILD_SERVER", "0"),
        ];
        Array.ForEach(settings, one => start.Environment[one.Name] = one.Value);
        string[] foreign = ["MSBUILD_EXE_PATH", "MSBuildSDKsPath", "MSBuildExtensionsPath", "DOTNET_HOST_PATH"];
        Array.ForEach(foreign, name => start.Environment.Remove(name));
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
        using var watchdog = new Timer(_ => _process.Kill(entireProcessTree: true), null, TimeSpan.FromMinutes(4), Timeout.InfiniteTimeSpan);
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
