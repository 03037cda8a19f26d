using System.Diagnostics;

namespace Quickstart;

/// <summary>A producer or consumer process as its launcher sees it. A killed one can be replaced by a new one.</summary>
internal sealed class Worker : IDisposable
{
    private readonly string _verb;
    private readonly Workspace _workspace;
    private Process _process;

    public Worker(string verb, Workspace workspace)
    {
        _verb = verb;
        _workspace = workspace;
        _process = Start();
    }

    /// <summary>What to call it on the screen.</summary>
    public string Name => _verb.TrimStart('-');

    public int Id => _process.Id;

    public bool HasExited => _process.HasExited;

    /// <exception cref="IOException">It failed.</exception>
    public void ThrowIfFailed()
    {
        if (HasExited && _process.ExitCode != 0)
        {
            throw new IOException($"the {Name} (process {Id}) ended with exit code {_process.ExitCode}.");
        }
    }

    /// <summary>Waits a moment for its end.</summary>
    public void Wait(TimeSpan moment) => _process.WaitForExit(moment);

    /// <summary>On Unix this is SIGKILL: the process gets no chance to tidy up.</summary>
    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    public void Replace()
    {
        _process.Dispose();
        _process = Start();
    }

    public void Dispose()
    {
        if (!HasExited)
        {
            Kill();
        }
        _process.Dispose();
    }

    private Process Start()
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardInput = true };
        if (Path.GetFileNameWithoutExtension(start.FileName) == "dotnet")
        {
            start.ArgumentList.Add(Environment.GetCommandLineArgs()[0]);
        }
        start.ArgumentList.Add(_verb);
        start.ArgumentList.Add(_workspace.Folder);
        // A killed process would leave the sockets of the runtime's diagnostics behind.
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        return Process.Start(start)!;
    }
}
