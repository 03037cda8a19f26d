using System.Diagnostics;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Disk;

/// <summary>A process at work on a small disk, as the site sees it.</summary>
internal sealed class DiskPeer : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private bool _isKilled, _isOverdue;

    public DiskPeer(SmallDisk disk, string root)
    {
        _process = Process.Start(SelfProcess.StartInfo(DiskCampaign.Worker, root, disk.IsMemory ? "memory" : "disk"))!;
        Ready = Read().Last();
    }

    /// <summary>"ready", or why not.</summary>
    public string Ready { get; }

    /// <summary>Has it do something, and gives what it says until it is done or dead.</summary>
    public IEnumerable<string> Do(string command)
    {
        _process.StandardInput.WriteLine(command);
        _process.StandardInput.Flush();
        return Read();
    }

    /// <summary>Kills it after a while, from another thread.</summary>
    public async Task KillAfter(TimeSpan delay)
    {
        await Task.Delay(delay);
        Kill();
    }

    public void Kill()
    {
        _isKilled = true;
        _process.Kill();
    }

    /// <summary>Waits for its death.</summary>
    /// <returns>What is wrong with it; null where it was killed.</returns>
    public string? Died() => !_process.WaitForExit(Patience) ? "does not die"
        : _isOverdue ? $"was killed because it said nothing for {Patience.TotalSeconds:N0} s"
        : _isKilled && _process.ExitCode == 137 ? null
        : $"died with {_process.ExitCode}, though nobody killed it";

    private void KillOverdue()
    {
        _isOverdue = true;
        _process.Kill();
    }

    private IEnumerable<string> Read()
    {
        using var watchdog = new Timer(_ => KillOverdue(), null, Patience, Timeout.InfiniteTimeSpan);
        while (_process.StandardOutput.ReadLine() is { } line)
        {
            if (line == "done")
            {
                yield break;
            }
            yield return line;
            if (line == "ready")
            {
                yield break;
            }
        }
        yield return "dead";
    }

    /// <summary>Lets it come to its end.</summary>
    public void Dispose()
    {
        if (!_isKilled)
        {
            _process.StandardInput.Close();
            if (!_process.WaitForExit(Patience))
            {
                _process.Kill();
            }
        }
        _process.Dispose();
    }
}
