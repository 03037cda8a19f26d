using System.Diagnostics;
using System.Globalization;

namespace BlitQueue.Reliability.Workers;

/// <summary>
/// A process that does a campaign's work, and says in lines what it has done: a counter, a tab and a number, or
/// "violation" and what. One that says nothing for too long hangs, and one that dies was not meant to.
/// </summary>
internal sealed class ReportingWorker : IDisposable
{
    private const int LookInterval = 20;

    private readonly CampaignRun _run;
    private readonly TimeSpan _patience;
    private readonly Process _process;
    private readonly Task _reading;
    private long _lastSaid = Stopwatch.GetTimestamp();
    private volatile bool _isDisposed;
    private string _last = "";

    private ReportingWorker(CampaignRun run, TimeSpan patience, ProcessStartInfo start)
    {
        (_run, _patience) = (run, patience);
        _process = Process.Start(start)!;
        _reading = Task.Run(Read);
    }

    /// <summary>Has workers do a campaign's work until it is enough, or all of them have ended.</summary>
    /// <param name="toTheirEnd">They have a list to work off, and are not told to end.</param>
    public static void RunAll(CampaignRun run, TimeSpan patience, IEnumerable<ProcessStartInfo> starts, bool toTheirEnd = false)
    {
        ReportingWorker[] workers = [.. starts.Select(start => new ReportingWorker(run, patience, start))];
        while ((toTheirEnd || !run.IsEnough) && Array.Exists(workers, static worker => worker.IsRunning))
        {
            Thread.Sleep(LookInterval);
        }
        Array.ForEach(workers, static worker => worker.Dispose());
    }

    /// <summary>false when it has ended, or was ended because it hung.</summary>
    private bool IsRunning
    {
        get
        {
            if (_reading.IsCompleted)
            {
                return false;
            }
            if (Stopwatch.GetElapsedTime(Interlocked.Read(ref _lastSaid)) > _patience)
            {
                _run.Violate($"a worker says nothing for {_patience.TotalSeconds:0} s; the last was: {_last}");
                End();
                return false;
            }
            return true;
        }
    }

    /// <summary>Asks it to end, and waits.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        _process.StandardInput.Close();
        if (!_process.WaitForExit(_patience))
        {
            _run.Violate($"a worker does not end; the last was: {_last}");
            End();
        }
        _reading.Wait(_patience);
        _process.Dispose();
    }

    private void End()
    {
        _isDisposed = true;
        _process.Kill();
    }

    private void Read()
    {
        while (_process.StandardOutput.ReadLine() is { } line)
        {
            Interlocked.Exchange(ref _lastSaid, Stopwatch.GetTimestamp());
            _last = line;
            if (line.StartsWith("violation ", StringComparison.Ordinal))
            {
                _run.Violate(line["violation ".Length..]);
            }
            else if (line.Split('\t') is [var counter, var number])
            {
                _run.Count(counter, long.Parse(number, CultureInfo.InvariantCulture));
            }
        }
        _process.WaitForExit();
        if (_process.ExitCode != 0 && !_isDisposed)
        {
            _run.Violate($"a worker died with exit code {_process.ExitCode}; the last was: {_last}");
        }
    }
}
