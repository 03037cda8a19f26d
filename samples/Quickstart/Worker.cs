using System.Diagnostics;

namespace Quickstart;

/// <summary>A producer or consumer process as the launcher sees it. One that is killed is replaced by a new one.</summary>
internal sealed class Worker(string verb, Workspace workspace, long killPoint) : IDisposable
{
    private Process _process = Start(verb, workspace, killPoint);

    public string Name => $"{verb.TrimStart('-')} (process {_process.Id})";

    /// <summary>Kills the process where it says that it is midway, and starts a new one.</summary>
    public async Task KillAndReplaceAsync()
    {
        string killed = Name;
        if (await _process.StandardOutput.ReadLineAsync() is null)
        {
            throw new IOException($"the {killed} ended before it could be killed.");
        }
        Dispose();
        _process = Start(verb, workspace, KillPoint.Never);
        Console.WriteLine($"  killed the {killed} midway, and started the {Name}");
    }

    public async Task WaitForEndAsync()
    {
        Process process = _process;
        await process.WaitForExitAsync();
        if (process.ExitCode != 0)
        {
            throw new IOException($"the {Name} failed: exit code {process.ExitCode}.");
        }
    }

    /// <summary>On Unix this is SIGKILL: the process gets no chance to tidy up.</summary>
    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    private static Process Start(string verb, Workspace workspace, long killPoint)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = killPoint != KillPoint.Never,
            Environment = { ["DOTNET_EnableDiagnostics"] = "0" },   // a killed process would leave its diagnostics' sockets
        };
        string[] host = Path.GetFileNameWithoutExtension(start.FileName) == "dotnet" ? [Environment.GetCommandLineArgs()[0]] : [];
        Array.ForEach([.. host, verb, workspace.Folder, $"{killPoint}"], start.ArgumentList.Add);
        return Process.Start(start)!;
    }
}

/// <summary>
/// After how many bytes a producer or consumer says that it can be killed. It works on meanwhile, so that the kill hits it in whatever it
/// is doing; but a quarter later it waits, so that the kill hits it midway however late it comes.
/// </summary>
internal sealed class KillPoint(long bytes)
{
    public const long Never = long.MaxValue;

    private bool _isSaid;

    public void Pass(long done)
    {
        if (done >= bytes && !_isSaid)
        {
            _isSaid = true;
            Console.WriteLine("midway");
        }
        if (done - (bytes / 4) >= bytes)
        {
            Thread.Sleep(Timeout.Infinite);
        }
    }
}
