using System.Diagnostics;
using System.Globalization;
using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Reliability.Power;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>Another process of a part: what it does there, and how the part sees it.</summary>
internal sealed class SystemPeer : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly Process _process;

    /// <param name="wrapper">What starts it.</param>
    /// <param name="arguments">What it is to do, and the queue.</param>
    public SystemPeer(string[] wrapper, params string[] arguments)
    {
        ProcessStartInfo start = SelfProcess.Wrapped(wrapper, [SystemCampaign.Worker, .. arguments]);
        start.RedirectStandardError = true;
        _process = Process.Start(start)!;
        _process.ErrorDataReceived += static (_, _) => { };
        _process.BeginErrorReadLine();
    }

    public int Id => _process.Id;

    /// <summary>The next line that it says; null at its end.</summary>
    public string? Next()
    {
        using var watchdog = new Timer(_ => _process.Kill(entireProcessTree: true), null, Patience, Timeout.InfiniteTimeSpan);
        return _process.StandardOutput.ReadLine();
    }

    public string? Tell(string line)
    {
        _process.StandardInput.WriteLine(line);
        _process.StandardInput.Flush();
        return Next();
    }

    public int WaitForExit()
    {
        if (!_process.WaitForExit(Patience))
        {
            _process.Kill(entireProcessTree: true);
            throw new InvalidOperationException("a process hangs");
        }
        return _process.ExitCode;
    }

    public void Kill() => _process.Kill();

    /// <summary>Lets it come to its end.</summary>
    public void Close() => _process.StandardInput.Close();

    public void Dispose()
    {
        Close();
        WaitForExit();
        _process.Dispose();
    }

    /// <summary>The peer's own side.</summary>
    /// <returns>false where the arguments are none of a peer.</returns>
    public static bool Run(string[] arguments)
    {
        switch (arguments)
        {
            case ["open", var path]:
                Console.WriteLine(Outcome(() => MappedQueue<Item>.Open(path, SystemWorker.Small).Dispose()));
                Console.WriteLine(Outcome(() => QueueReader<Item>.Open(path).Dispose()));
                return true;
            case ["use", var path]:
                Use(path);
                return true;
            case ["hold", var path]:
                Hold(path);
                return true;
            default:
                return false;
        }
    }

    private static void Use(string path)
    {
        using var queue = MappedQueue<Item>.Open(path, SystemWorker.Small);
        Console.WriteLine($"open {Environment.ProcessId}");
        Item? item = null;
        while (Console.ReadLine() is { } line)
        {
            Console.WriteLine(line.Split(' ') switch
            {
                ["enqueue", var number] => Outcome(
                    () => queue.Enqueue(new Item().Fill(long.Parse(number, CultureInfo.InvariantCulture), 5000))),
                ["try", var number] => Outcome(
                    () => queue.TryEnqueue(new Item().Fill(long.Parse(number, CultureInfo.InvariantCulture), 5000))),
                ["dequeue"] => Outcome(
                    () => Console.WriteLine(queue.TryDequeue(ref item) ? $"got {item!.Number} {item.IsWhole}" : "got nothing")),
                ["repairs"] => queue.GetStatus().Repairs.ToString(CultureInfo.InvariantCulture),
                _ => "?",
            });
        }
    }

    // As an appender that stands still in the middle of its append.
    private static void Hold(string path)
    {
        using var queue = MappedQueue<Item>.Open(path, SystemWorker.Small);
        Console.WriteLine($"open {Environment.ProcessId}");
        new AppendLockWait<MachineMemory>(queue.Store.Control, queue.Store.Self, queue.Store.Files)
            .TryAcquireLock(new WaitLimit(Patience), out _);
        Console.WriteLine("holds");
        Thread.Sleep(Timeout.Infinite);
    }

    // For the other side: "ok", or the exception's name and what it says.
    private static string Outcome(Action act)
    {
        try
        {
            act();
            return "ok";
        }
        catch (Exception exception)
        {
            return $"{exception.GetType().Name}: {exception.Message.ReplaceLineEndings(" ")}";
        }
    }
}
