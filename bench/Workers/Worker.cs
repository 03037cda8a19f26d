using System.Diagnostics;
using System.Text.Json;
using BlitQueue.Bench.Transports;

namespace BlitQueue.Bench.Workers;

/// <summary>Another process, seen from the first one. It serves many measurements, so that its code is compiled and warm.</summary>
internal sealed class Worker : IDisposable
{
    public const string Verb = "worker", Bare = "bare";

    private readonly Process _process;

    /// <param name="isBare">Whether the library is to leave its instruments out there.</param>
    public Worker(bool isBare = false)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardInput = true, RedirectStandardOutput = true };
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet")
        {
            start.ArgumentList.Add(typeof(Worker).Assembly.Location);
        }
        start.ArgumentList.Add(Verb);
        if (isBare)
        {
            start.ArgumentList.Add(Bare);
        }
        _process = new Process { StartInfo = start, EnableRaisingEvents = true };
        _process.Exited += OnExited;
        _process.Start();
    }

    /// <summary>Has the worker open its end of a transport.</summary>
    public void Begin(WorkerTask task) => _process.StandardInput.WriteLine(JsonSerializer.Serialize(task));

    /// <summary>Returns when the worker's end is open.</summary>
    public void AwaitOpened() => ReadLine();

    /// <summary>Has a sender begin that has opened its end.</summary>
    public void Go() => _process.StandardInput.WriteLine();

    /// <summary>Returns when the worker has done its work.</summary>
    public TResult AwaitResult<TResult>() => JsonSerializer.Deserialize<TResult>(ReadLine())!;

    /// <summary>Ends the process as it stands, whatever it is doing: SIGKILL.</summary>
    public void Kill()
    {
        _process.Exited -= OnExited;
        _process.Kill();
        _process.WaitForExit();
    }

    // What went wrong there stands on the standard error that both share.
    private string ReadLine()
        => _process.StandardOutput.ReadLine() ?? throw new IOException("Another process of the measurement has ended.");

    // This process may be waiting, or spinning, for a message or for room: only its end ends that.
    private static void OnExited(object? sender, EventArgs arguments)
    {
        Console.Error.WriteLine("Another process of the measurement has ended.");
        Environment.Exit(1);
    }

    public void Dispose()
    {
        _process.Exited -= OnExited;
        if (!_process.HasExited)
        {
            _process.StandardInput.Close();
        }
        if (!_process.WaitForExit(TimeSpan.FromSeconds(5)))
        {
            _process.Kill();
        }
        _process.Dispose();
    }
}

/// <summary>The other processes, each started when first asked for.</summary>
internal sealed class WorkerSet : IDisposable
{
    private readonly List<Worker> _workers = [];

    /// <summary>The second process (0), the third (1) ...</summary>
    public Worker this[int index]
    {
        get
        {
            while (_workers.Count <= index)
            {
                _workers.Add(new Worker());
            }
            return _workers[index];
        }
    }

    /// <summary>Has the second process do its part on a transport while this one does its own.</summary>
    /// <param name="job">What the second process does.</param>
    /// <param name="transport">On what.</param>
    /// <param name="root">Where.</param>
    /// <param name="here">What this process does; it is given what to call when its end is open.</param>
    public (THere Here, TThere There) DoTogether<THere, TThere>(WorkerJob job, Transport transport, string root, Func<Action, THere> here)
    {
        Worker worker = this[0];
        worker.Begin(new WorkerTask(job, transport.Name, root));
        return (here(worker.AwaitOpened), worker.AwaitResult<TThere>());
    }

    public void Dispose() => _workers.ForEach(static worker => worker.Dispose());
}

/// <summary>What another process is to do.</summary>
/// <param name="Job">What.</param>
/// <param name="Transport">Over which transport.</param>
/// <param name="Root">The directory that all use.</param>
/// <param name="Duration">For how long, where it sends or is a pair.</param>
internal sealed record WorkerTask(WorkerJob Job, string Transport, string Root, TimeSpan Duration = default);

/// <summary>What another process is to do with its end of a transport.</summary>
internal enum WorkerJob
{
    /// <summary>Receive until the end.</summary>
    Receive,

    /// <summary>Answer each message until the end.</summary>
    Answer,

    /// <summary>Take each message's latency until the end.</summary>
    Clock,

    /// <summary>Send, when told to go.</summary>
    Send,

    /// <summary>Pass messages of 64 bytes through a queue on one thread; there is no transport.</summary>
    Pair,

    /// <summary>Take one message, then say how much memory this process has.</summary>
    TellMemory,
}

/// <summary>How much memory a process has.</summary>
/// <param name="Resident">Bytes of it, mapped files included.</param>
internal sealed record MemoryResult(long Resident);
