using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;

namespace BlitQueue.Reliability.Workers;

/// <summary>
/// One worker process and what it says. A trial that takes too long, or that the process dies of, is a
/// violation; another goes on behind it.
/// </summary>
internal sealed class WatchedProcess(CampaignRun run, IWatchedCampaign campaign) : IDisposable
{
    // Trials take milliseconds; only a hang takes so long. On a machine with ten times more work than processors a minute was too short.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private static readonly TimeSpan EndPatience = TimeSpan.FromSeconds(30);

    private readonly BlockingCollection<string> _lines = [];
    private Process? _process;

    /// <summary>Makes a stretch of trials.</summary>
    public void Make(long first, long count)
    {
        for (long next = first; next < first + count;)
        {
            next = MakeUntilDeath(next, first + count - next);
        }
    }

    // The number of the trial to go on with.
    private long MakeUntilDeath(long first, long count)
    {
        Process process = _process ??= Start();
        process.StandardInput.WriteLine($"{first} {count}");
        process.StandardInput.Flush();
        long current = first;
        while (_lines.TryTake(out string? line, Patience))
        {
            switch (line)
            {
                case "@d":
                    return first + count;
                case null or "@dead":
                    process.WaitForExit();
                    run.Violate($"the process died with {process.ExitCode} in trial {current}: {Repeat(current)}");
                    End();
                    return current + 1;
                case var text when text.StartsWith("@t ", StringComparison.Ordinal):
                    current = long.Parse(text.AsSpan(3), CultureInfo.InvariantCulture);
                    break;
                case var text when text.StartsWith("@v ", StringComparison.Ordinal):
                    run.Violate($"{text[3..]}; {Repeat(current)}");
                    break;
                case var text when text.StartsWith("@c ", StringComparison.Ordinal):
                    Count(text.Split(' ', 3));
                    break;
            }
        }
        run.Violate($"trial {current} hangs: {Repeat(current)}");
        End();
        return current + 1;
    }

    private void Count(string[] parts)
    {
        long value = long.Parse(parts[1], CultureInfo.InvariantCulture);
        if (parts[2].StartsWith("most ", StringComparison.Ordinal))
        {
            run.Highest(parts[2], value);
        }
        else
        {
            run.Count(parts[2], value);
        }
    }

    private string Repeat(long part) =>
        $"repeat: echo {part} 1 | dotnet run -c Release --project tests/Reliability -- {WatchedWorker.Command} {campaign.Name} {run.Seed}";

    private Process Start()
    {
        ProcessStartInfo start = SelfProcess.StartInfo(WatchedWorker.Command, campaign.Name, run.SeedText);
        start.Environment["DOTNET_GCHeapHardLimit"] = $"0x{campaign.HeapLimit:x}";
        var process = new Process { StartInfo = start };
        process.OutputDataReceived += (_, line) => _lines.Add(line.Data ?? "@dead");
        process.Start();
        process.BeginOutputReadLine();
        return process;
    }

    private void End()
    {
        _process!.Kill();
        _process.WaitForExit();
        _process.Dispose();
        _process = null;
        while (_lines.TryTake(out _))
        {
        }
    }

    // At the end of its input a worker takes its directories away and ends.
    public void Dispose()
    {
        if (_process is not null)
        {
            _process.StandardInput.Close();
            _process.WaitForExit(EndPatience);
            End();
        }
    }
}
