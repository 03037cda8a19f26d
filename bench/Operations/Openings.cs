using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using BlitQueue.Bench.Calling;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Operations;

/// <summary>What another process does for a row, once it is told to.</summary>
internal enum Errand
{
    Nothing,

    /// <summary>Opens a queue.</summary>
    Open,

    /// <summary>Opens a deep queue and asks for its status.</summary>
    OpenDeep,

    /// <summary>Enqueues and dequeues large messages.</summary>
    DeliverLarge,

    /// <summary>Copies as many bytes twice.</summary>
    CopyLarge,

    /// <summary>Writes them to a file, and reads it.</summary>
    FileLarge,

    /// <summary>Answers calls, and does not sleep.</summary>
    ServeSpinning,

    /// <summary>Answers calls, and sleeps between them.</summary>
    ServeSleeping,

    /// <summary>Answers calls, whose requests it reads where they are, and does not sleep.</summary>
    ServeInPlace,
}

/// <summary>What came of an errand.</summary>
/// <param name="Figures">For the row.</param>
/// <param name="Kept">What stays open until the process is let go; null for nothing.</param>
internal readonly record struct Done(long[] Figures, IDisposable? Kept = null);

/// <summary>
/// Another process of this program, from both sides: it is started for one errand, says that it is up, waits for a line, does the errand,
/// answers with figures, and stays until its input ends. Plain words, so that hundreds of them start as fast as .NET does.
/// </summary>
internal sealed class OtherProcess : IDisposable
{
    public const string Verb = "operations-process";

    private const string Up = "up", Refused = "refused";
    private static readonly TimeSpan LongestEnd = TimeSpan.FromSeconds(60);

    private static readonly ConcurrentDictionary<OtherProcess, bool> Running = [];
    private static volatile bool IsEnding;

    private readonly Process _process;
    private bool _isUp;

    static OtherProcess() => ScratchDirectory.Ending += KillAll;

    public OtherProcess(Errand errand, string path)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardInput = true, RedirectStandardOutput = true };
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet")
        {
            start.ArgumentList.Add(typeof(OtherProcess).Assembly.Location);
        }
        foreach (string argument in (string[])[Verb, errand.ToString(), path])
        {
            start.ArgumentList.Add(argument);
        }
        _process = Process.Start(start)!;
        Running[this] = true;
        if (IsEnding)
        {
            Kill();
        }
    }

    public int Id => _process.Id;

    /// <summary>Returns when the process has started.</summary>
    public void AwaitUp()
    {
        if (!_isUp)
        {
            ReadLine();
            _isUp = true;
        }
    }

    /// <summary>Has it do its errand, at once or as soon as it is up.</summary>
    public void Go() => _process.StandardInput.WriteLine();

    /// <summary>What came of the errand.</summary>
    /// <returns>null where a queue refused.</returns>
    public long[]? Await()
    {
        AwaitUp();
        string answer = ReadLine();
        return answer == Refused ? null : Figures(answer);
    }

    private static long[] Figures(string answer) =>
        [.. answer.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(static word => long.Parse(word, CultureInfo.InvariantCulture))];

    /// <summary>Has the process end.</summary>
    public void LetGo()
    {
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended, and a line for it is left.
        }
    }

    // What went wrong there stands on the standard error that both share.
    private string ReadLine() =>
        _process.StandardOutput.ReadLine() ?? throw new IOException("Another process of the measurement has ended.");

    public void Dispose()
    {
        LetGo();
        if (!_process.WaitForExit(LongestEnd))
        {
            Kill();
        }
        Running.TryRemove(this, out _);
        _process.Dispose();
    }

    private void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    private static void KillAll()
    {
        IsEnding = true;
        foreach (OtherProcess running in Running.Keys)
        {
            try
            {
                running.Kill();
            }
            catch (InvalidOperationException)
            {
                // Its row has just let it go.
            }
        }
    }

    /// <summary>The other side.</summary>
    /// <param name="arguments">An errand, and a path.</param>
    public static int Run(string[] arguments)
    {
        Console.WriteLine(Up);
        if (Console.ReadLine() is null)
        {
            return 0;
        }
        try
        {
            (long[] figures, IDisposable? kept) = Do(Enum.Parse<Errand>(arguments[0]), arguments[1]);
            using (kept)
            {
                Console.WriteLine(string.Join(' ', figures.Select(static figure => figure.ToString(CultureInfo.InvariantCulture))));
                Console.ReadLine();
            }
        }
        catch (QueueException exception)
        {
            Console.Error.WriteLine(exception.Message);
            Console.WriteLine(Refused);
            Console.ReadLine();
        }
        return 0;
    }

    private static Done Do(Errand errand, string path) => errand switch
    {
        Errand.Nothing => new Done([]),
        Errand.Open => OpeningScenario.Open(path),
        Errand.OpenDeep => DeepOpening.Open(path),
        Errand.ServeSpinning or Errand.ServeSleeping or Errand.ServeInPlace => CallServer.Start(path, errand),
        _ => LargeMessages.Do(errand, path),
    };
}

/// <summary>Many processes that open the same queue at once, and keep it open until the last one has it; or that open nothing.</summary>
/// <param name="name">The row's.</param>
/// <param name="role">The row's.</param>
/// <param name="processes">How many.</param>
/// <param name="errand">What each of them does.</param>
/// <param name="areUp">Whether all are up before they begin; else the time that they take to start is part of it.</param>
internal sealed class OpeningScenario(string name, Role role, int processes, Errand errand, bool areUp) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        string queue = Path.Combine(root, "queue");
        MappedQueue<Fixed8>.Open(queue).Dispose();
        var all = new List<OtherProcess>();
        try
        {
            return Measure(all, queue);
        }
        finally
        {
            all.ForEach(static process => process.LetGo());
            all.ForEach(static process => process.Dispose());
        }
    }

    private Sample Measure(List<OtherProcess> all, string queue)
    {
        long started = Stopwatch.GetTimestamp();
        while (all.Count < processes)
        {
            all.Add(new OtherProcess(errand, queue));
            if (!areUp)
            {
                all[^1].Go();
            }
        }
        if (areUp)
        {
            all.ForEach(static process => process.AwaitUp());
            started = Stopwatch.GetTimestamp();
            all.ForEach(static process => process.Go());
        }
        long[]?[] answers = [.. all.Select(static process => process.Await())];
        return new Sample(processes, Ns: null)
        {
            Time = Stopwatch.GetElapsedTime(started).TotalNanoseconds,
            LongestOpen = errand == Errand.Open ? answers.Max(static answer => answer?[0]) : null,
            Refused = errand == Errand.Open ? answers.Count(static answer => answer is null) : null,
        };
    }

    /// <summary>In the other process.</summary>
    public static Done Open(string path)
    {
        long started = Stopwatch.GetTimestamp();
        var queue = MappedQueue<Fixed8>.Open(path);
        return new Done([(long)Stopwatch.GetElapsedTime(started).TotalNanoseconds], queue);
    }
}
