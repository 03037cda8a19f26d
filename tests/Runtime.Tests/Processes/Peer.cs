using System.Diagnostics;
using System.Reflection;
using System.Text;
using BlitQueue.Segments;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// A second process at work on a queue, started by a test and ended by it; a watchdog kills one that a failing test or a hanging queue
/// would leave behind.
/// </summary>
internal sealed class Peer : IDisposable
{
    /// <summary>How long anything may take that is not itself measured. Only a hang takes so long.</summary>
    public static readonly TimeSpan Patience =
        TimeSpan.FromSeconds(int.Parse(Environment.GetEnvironmentVariable("BLITQUEUE_PATIENCE") ?? "60", System.Globalization.CultureInfo.InvariantCulture));

    private static readonly string Program = typeof(Peer).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(static attribute => attribute.Key == "PeerPath").Value!;

    private readonly Process _process;
    private readonly Timer _watchdog;
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _errors = new();

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
        _watchdog = new Timer(_ => Kill(), null, Patience, Timeout.InfiniteTimeSpan);
    }

    public int Id { get; }

    /// <summary>Where it logs what was acknowledged to it.</summary>
    public string LogPath { get; }

    /// <summary>What it has said on its standard output.</summary>
    public string Output => Text(_output);

    /// <summary>Starts a peer; see the peer's Worker for its commands and options.</summary>
    public static Peer Start(Site site, string command, params string[] options) => Start(site, command, failPoint: "", options);

    /// <summary>Starts a peer that will die at a step, the given time it reaches it.</summary>
    public static Peer StartToDie(Site site, ProtocolStep step, int time, string command, params string[] options) =>
        Start(site, command, $"{step}:{time}:kill", options);

    /// <summary>Starts a peer that will stop itself at a step, the given time it reaches it.</summary>
    public static Peer StartToStop(Site site, ProtocolStep step, int time, string command, params string[] options) =>
        Start(site, command, $"{step}:{time}:stop", options);

    /// <summary>Runs a peer to its end as a user who owns nothing.</summary>
    public static string RunAsNobody(Site site, string command)
    {
        string log = Path.Combine(Path.GetTempPath(), $"blitqueue-nobody-{Guid.NewGuid():N}.log");
        var start = new ProcessStartInfo("setpriv", ["--reuid=65534", "--clear-groups", Environment.ProcessPath!, Program, command, site.Queue, log]);
        using Peer peer = Begin(start, log, failPoint: "");
        peer.WaitForExit();
        File.Delete(log);
        return peer.Output + Text(peer._errors);
    }

    private static Peer Start(Site site, string command, string failPoint, string[] options)
    {
        string log = site.NewLog();
        var start = new ProcessStartInfo(Environment.ProcessPath!, [Program, command, site.Queue, log, .. options]);
        return Begin(start, log, failPoint);
    }

    private static Peer Begin(ProcessStartInfo start, string log, string failPoint)
    {
        start.RedirectStandardInput = start.RedirectStandardOutput = start.RedirectStandardError = true;
        start.Environment["BLITQUEUE_FAILPOINT"] = failPoint;
        return new Peer(start, log);
    }

    /// <summary>Waits until the peer has said the word, "ready" when its queue is open.</summary>
    public Peer WaitFor(string word)
    {
        WaitUntil(() => Output.Contains(word, StringComparison.Ordinal) || _process.HasExited, $"say '{word}'");
        return Output.Contains(word, StringComparison.Ordinal)
            ? this
            : throw new InvalidOperationException($"The peer ended with {_process.ExitCode} instead of saying '{word}': {Output}{Text(_errors)}");
    }

    /// <summary>Waits until the peer has stopped itself.</summary>
    public Peer WaitForStop()
    {
        WaitUntil(() => State() == 'T' || _process.HasExited, "stop");
        Assert.False(_process.HasExited, $"The peer ended before it reached its fail point; it said: {Output}{Text(_errors)}");
        return this;
    }

    /// <summary>Waits for the peer's end and gives its exit code: 137 after SIGKILL.</summary>
    public int WaitForExit()
    {
        if (!_process.WaitForExit(Patience))
        {
            Kill();
            Assert.Fail($"The peer did not end within {Patience.TotalSeconds} s; it said: {Output}{Text(_errors)}");
        }
        // Without a time the call also waits for the last of the output.
        _process.WaitForExit();
        return _process.ExitCode;
    }

    /// <summary>Waits for a peer that is killed, or kills itself at its fail point, and must not end by itself before.</summary>
    public void WaitForDeath() =>
        Assert.True(WaitForExit() == 137, $"The peer ended with {_process.ExitCode}, not by SIGKILL; it said: {Output}{Text(_errors)}");

    /// <summary>Tells the peer to come to an end, and waits for it.</summary>
    public void Finish()
    {
        EndInput();
        Assert.True(WaitForExit() == 0, $"The peer ended with {_process.ExitCode}; it said: {Output}{Text(_errors)}");
    }

    public void EndInput() => _process.StandardInput.Close();

    public void Kill() => Send(Signals.Kill);

    public void Continue() => Send(Signals.Continue);

    public void Stop() => Send(Signals.Stop);

    public bool HasExited => _process.HasExited;

    public TimeSpan ProcessorTime
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
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

    private char State()
    {
        try
        {
            string status = File.ReadAllText($"/proc/{Id}/stat");
            return status[status.LastIndexOf(')') + 2];
        }
        catch (IOException)
        {
            return 'X';
        }
    }

    private void WaitUntil(Func<bool> condition, string what)
    {
        var waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < Patience, $"The peer did not {what} within {Patience.TotalSeconds} s; it said: {Output}{Text(_errors)}");
            Thread.Sleep(1);
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
