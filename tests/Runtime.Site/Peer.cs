using System.Diagnostics;
using System.Reflection;
using System.Text;
using BlitQueue.Log;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// A second process at work on a queue, started by a test and ended by it; a watchdog kills one that a failing test or a hanging queue
/// would leave behind, which nobody has told or asked anything for longer than a test takes. What it must do and does not is an
/// <see cref="InvalidOperationException"/>.
/// </summary>
internal sealed class Peer : IDisposable
{
    /// <summary>How long anything may take that is not itself measured. Only a hang takes so long.</summary>
    public static readonly TimeSpan Patience =
        TimeSpan.FromSeconds(
            int.Parse(Environment.GetEnvironmentVariable("BLITQUEUE_PATIENCE") ?? "60", System.Globalization.CultureInfo.InvariantCulture));

    // Of the watchdog: a test that takes longer than a hang fails for the death of its peer, which looks like a defect of the queue.
    private static readonly TimeSpan LongestUse = 3 * Patience;

    private static readonly string Program = typeof(Peer).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(static attribute => attribute.Key == "PeerPath").Value!;

    // A program with a host of its own is not what runs another.
    private static readonly string Host = Path.GetFileNameWithoutExtension(Environment.ProcessPath!) == "dotnet"
        ? Environment.ProcessPath!
        : Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";

    private readonly Process _process;
    private readonly Timer _watchdog;
    private bool _isLetLive;
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _errors = new();

    // A thread of the pool sits in each of the two pipes that a peer's output comes through. With as many as there are processors, what
    // needs another one, a task or a timer of any test, would wait for seconds.
    static Peer()
    {
        ThreadPool.GetMinThreads(out int workers, out int completions);
        ThreadPool.SetMinThreads(Math.Max(workers, 100), completions);
    }

    private Peer(ProcessStartInfo start, string log)
    {
        LogPath = log;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Note(_output, line.Data);
        _process.ErrorDataReceived += (_, line) => Note(_errors, line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        Id = _process.Id;
        _watchdog = new Timer(_ => Kill(), null, LongestUse, Timeout.InfiniteTimeSpan);
    }

    public int Id { get; }

    /// <summary>Where it logs what was acknowledged to it.</summary>
    public string LogPath { get; private set; }

    /// <summary>What it has said on its standard output.</summary>
    public string Output => Text(_output);

    /// <summary>What it has said at all.</summary>
    public string Said => Output + Text(_errors);

    /// <summary>Starts a peer; see the peer's Worker for its commands and options.</summary>
    public static Peer Start(Site site, string command, params string[] options) => Start(site, command, failPoint: "", options);

    /// <summary>Starts a peer that will die at a step, the given time it reaches it.</summary>
    public static Peer StartToDie(Site site, ProtocolStep step, int time, string command, params string[] options) =>
        Start(site, command, $"{step}:{time}:kill", options);

    /// <summary>Starts a peer that will stop itself at a step, the given time it reaches it.</summary>
    public static Peer StartToStop(Site site, ProtocolStep step, int time, string command, params string[] options) =>
        Start(site, command, $"{step}:{time}:stop", options);

    /// <summary>Runs a peer to its end as a user who owns nothing.</summary>
    public static string RunAsNobody(Site site, string command, params string[] options)
    {
        string log = Path.Combine(Path.GetTempPath(), $"blitqueue-nobody-{Guid.NewGuid():N}.log");
        var start = new ProcessStartInfo(
            "setpriv", ["--reuid=65534", "--clear-groups", Host, Program, command, site.Queue, log, .. options]);
        using Peer peer = Begin(start, log, failPoint: "");
        peer.WaitForExit();
        File.Delete(log);
        return peer.Output + Text(peer._errors);
    }

    /// <summary>Starts a peer that may make no file longer than so many bytes.</summary>
    public static Peer StartLimited(Site site, long bytes, string command, params string[] options)
    {
        string log = site.NewLog();
        var start = new ProcessStartInfo("prlimit", [$"--fsize={bytes}", Host, Program, command, site.Queue, log, .. options]);
        // Or the runtime itself makes a longer one, in memory.
        start.Environment["DOTNET_EnableWriteXorExecute"] = "0";
        return Begin(start, log, failPoint: "");
    }

    /// <summary>Starts a peer under Windows' rules, see <see cref="StrictPlatform"/>.</summary>
    public static Peer StartStrict(Site site, string mode, string command, params string[] options) =>
        StartStrict(site, mode, failPoint: "", command, options);

    /// <summary>Starts a peer under Windows' rules that will stop itself at a step, the given time it reaches it.</summary>
    public static Peer StartStrictToStop(
        Site site, string mode, ProtocolStep step, string command, int time = 1, params string[] options) =>
        StartStrict(site, mode, $"{step}:{time}:stop", command, options);

    /// <summary>Starts a peer under Windows' rules that will die at a step.</summary>
    public static Peer StartStrictToDie(Site site, string mode, ProtocolStep step, string command, params string[] options) =>
        StartStrict(site, mode, $"{step}:1:kill", command, options);

    private static Peer StartStrict(Site site, string mode, string failPoint, string command, string[] options)
    {
        string log = site.NewLog();
        var start = new ProcessStartInfo(Host, [Program, command, site.Queue, log, .. options]);
        start.Environment[StrictPlatform.Variable] = mode;
        start.Environment[StrictPlatform.Refusals] = StrictPlatform.RefusalsOf(site.Root);
        return Begin(start, log, failPoint);
    }

    /// <summary>Starts a peer whose disk refuses its syncs from the given one on, and that dies at a step where one is named.</summary>
    public static Peer StartToFailSync(Site site, int time, ProtocolStep? death, string command, params string[] options) =>
        Start(
            site, command, death is null ? "" : $"{death}:1:kill", options,
            time.ToString(System.Globalization.CultureInfo.InvariantCulture));

    /// <summary>Starts a peer that stops itself when it begins its first sync, which its disk then refuses.</summary>
    public static Peer StartToStopInFailingSync(Site site, string command, params string[] options) =>
        Start(site, command, $"{ProtocolStep.SyncBegun}:1:stop", options, failSync: "1");

    /// <summary>Starts a process that waits for being told what to do: most of what a start takes is over then.</summary>
    public static Peer StartSpare() => Begin(new ProcessStartInfo(Host, [Program, "await"]), log: "", failPoint: "");

    /// <summary>Tells a spare process what to do; from then on it is as if it had been started so.</summary>
    /// <param name="queue">The directory of the queue.</param>
    /// <param name="failPoint">Where it dies or stops by itself: <c>AppendPublished:3:kill</c>; empty for nowhere.</param>
    /// <param name="failSync">From which sync on its disk refuses; empty for never.</param>
    public Peer Employ(string queue, string log, string command, string failPoint, string failSync, IEnumerable<string> options)
    {
        LogPath = log;
        NoteUse();
        _process.StandardInput.WriteLine(string.Join('\t', [failPoint, failSync, command, queue, log, .. options]));
        _process.StandardInput.Flush();
        return this;
    }

    private static Peer Start(Site site, string command, string failPoint, string[] options, string failSync = "")
    {
        string log = site.NewLog();
        var start = new ProcessStartInfo(Host, [Program, command, site.Queue, log, .. options]);
        return Begin(start, log, failPoint, failSync);
    }

    private static Peer Begin(ProcessStartInfo start, string log, string failPoint, string failSync = "")
    {
        start.Environment["BLITQUEUE_FAILSYNC"] = failSync;
        start.RedirectStandardInput = start.RedirectStandardOutput = start.RedirectStandardError = true;
        start.Environment["BLITQUEUE_FAILPOINT"] = failPoint;
        return new Peer(start, log);
    }

    /// <summary>Waits until the peer has said the word, "ready" when its queue is open.</summary>
    public Peer WaitFor(string word)
    {
        NoteUse();
        WaitUntil(() => Output.Contains(word, StringComparison.Ordinal) || _process.HasExited, $"say '{word}'");
        if (_process.HasExited)
        {
            // The last of what it said may still be under way.
            _process.WaitForExit();
        }
        return Output.Contains(word, StringComparison.Ordinal)
            ? this
            : throw new InvalidOperationException(
                $"The peer ended with {_process.ExitCode} instead of saying '{word}': {Output}{Text(_errors)}");
    }

    /// <summary>Waits until the peer has stopped itself.</summary>
    public Peer WaitForStop()
    {
        WaitUntil(() => Signals.IsStopped(Id) || _process.HasExited, "stop");
        Must(!_process.HasExited, "The peer ended before it reached its fail point");
        return this;
    }

    /// <summary>Waits for the peer's end and gives its exit code: 137 after SIGKILL.</summary>
    public int WaitForExit()
    {
        if (!_process.WaitForExit(Patience))
        {
            Kill();
            Must(false, $"The peer did not end within {Patience.TotalSeconds} s");
        }
        // Without a time the call also waits for the last of the output.
        _process.WaitForExit();
        return _process.ExitCode;
    }

    /// <summary>Waits for a peer that is killed, or kills itself at its fail point, and must not end by itself before.</summary>
    public void WaitForDeath() =>
        Must(WaitForExit() == 137, $"The peer ended with {_process.ExitCode}, not by SIGKILL");

    /// <summary>Tells the peer to come to an end, and waits for it.</summary>
    public void Finish()
    {
        EndInput();
        Must(WaitForExit() == 0, $"The peer ended with {_process.ExitCode}");
    }

    public void EndInput() => _process.StandardInput.Close();

    public void Kill() => Send(Signals.Kill);

    public void Continue()
    {
        NoteUse();
        Send(Signals.Continue);
    }

    /// <summary>Nothing ends it but whoever started it: for who works longer than any test.</summary>
    public void LetLive()
    {
        _isLetLive = true;
        _watchdog.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Stop()
    {
        NoteUse();
        Send(Signals.Stop);
    }

    public bool HasExited => _process.HasExited;

    public TimeSpan ProcessorTime
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    private void NoteUse()
    {
        if (!_isLetLive)
        {
            _watchdog.Change(LongestUse, Timeout.InfiniteTimeSpan);
        }
    }

    private void Send(int signal)
    {
        // By the id of a process that has not been waited for, so the id cannot be another's by now.
        if (!_process.HasExited)
        {
            Signals.Send(Id, signal);
        }
    }

    private void WaitUntil(Func<bool> condition, string what)
    {
        var waited = Stopwatch.StartNew();
        while (!condition())
        {
            Must(waited.Elapsed < Patience, $"The peer did not {what} within {Patience.TotalSeconds} s");
            Thread.Sleep(1);
        }
    }

    private void Must(bool isMet, string otherwise)
    {
        if (!isMet)
        {
            throw new InvalidOperationException($"{otherwise}; it said: {Output}{Text(_errors)}");
        }
    }

    private static void Note(StringBuilder text, string? line)
    {
        // null says that there is no more.
        if (line is null)
        {
            return;
        }
        lock (text)
        {
            text.AppendLine(line);
        }
    }

    private static string Text(StringBuilder text)
    {
        lock (text)
        {
            return text.ToString();
        }
    }

    public void Dispose()
    {
        _watchdog.Dispose();
        Kill();
        _process.WaitForExit();
        _process.Dispose();
    }
}
