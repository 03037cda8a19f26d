using BlitQueue.Reliability.Native;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Power;

/// <summary>
/// The process that records runs and looks at their images. It says what it has done in lines: a counter
/// and a number, or "violation" and what.
/// </summary>
internal sealed class PowerWorker : IDisposable
{
    private const int ImagesOfRun = 60, ImagesOfLaterRun = 8, SecondRunEvery = 10, MostCrashes = 4, MostSaved = 5;

    private readonly string _root = ScratchDirectory.Make("power");

    private readonly int _seed;
    private int _run;
    private int _saved;

    private PowerWorker(int seed) => _seed = seed;

    /// <param name="arguments">Seed, number of the first run, distance to the next.</param>
    public static int Run(string[] arguments)
    {
        int[] numbers = [.. arguments.Select(int.Parse)];
        SystemCalls.Use();
        SystemCalls.PretendDisk();
        using var worker = new PowerWorker(numbers[0]);
        // The campaign ends this input when it has seen enough, or when it dies.
        Task<string> ended = Task.Run(Console.In.ReadToEnd);
        for (int run = numbers[1]; !ended.IsCompleted; run += numbers[2])
        {
            worker.RunOne(run, ended);
        }
        return 0;
    }

    private void RunOne(int run, Task ended)
    {
        _run = run;
        var random = new Random(unchecked((_seed * 7919) + (run * 104_729)));
        bool inStore = random.Next(4) > 0;
        string root = Fresh("run");
        var ledger = new Ledger();
        Recorder recorded;
        using (recorded = new Recorder(root))
        {
            Record(root, inStore, random, recorded, ledger, random.Next(20, 150), crash: 0, first: null);
        }
        Say("runs", 1);
        for (int image = 0; image < ImagesOfRun && !ended.IsCompleted; image++)
        {
            int imageSeed = random.Next(), now = CrashPoint(recorded, random);
            Check(recorded, ledger, now, imageSeed, $"image {image}");
            if (image % SecondRunEvery == SecondRunEvery - 1)
            {
                RunAgain(recorded, ledger, inStore, now, imageSeed, crash: 1, $"image {image}");
            }
        }
        Console.Out.Flush();
    }

    // What is left goes on, is used, and loses power again: during the recovery, or later.
    private void RunAgain(Recorder recorded, Ledger ledger, bool inStore, int now, int imageSeed, int crash, string name)
    {
        var random = new Random(imageSeed);
        string root = Fresh($"again{crash}");
        new CrashImage(recorded, now, random).Write(root);
        var books = new Ledger();
        int open = int.MaxValue;
        Recorder again;
        using (again = new Recorder(root))
        {
            Record(root, inStore, random, again, books, random.Next(1, 40), crash, first: workload =>
            {
                LedgerAfterLoss.Fill(ledger, now, workload.Read, workload.SubscriptionsOf, books, again.Now);
                open = again.Now;
            });
        }
        Say($"runs after {crash} crashes", 1);
        for (int image = 0; image < ImagesOfLaterRun; image++)
        {
            int at = random.Next(4) == 0 ? random.Next(Math.Min(open, again.Now) + 1) : CrashPoint(again, random);
            if (at < open)
            {
                Check(again, at, ledger, now, random.Next(), $"{name}, recovery image {image}");
            }
            else
            {
                Check(again, at, books, at, random.Next(), $"{name}, image {image} of crash {crash + 1}");
            }
        }
        if (crash + 1 < MostCrashes)
        {
            RunAgain(again, books, inStore, random.Next(Math.Min(open, again.Now), again.Now + 1), random.Next(), crash + 1, name);
        }
    }

    private void Record(
        string root, bool inStore, Random random, Recorder recorder, Ledger ledger, int steps, int crash, Action<Workload>? first)
    {
        try
        {
            using var workload = new Workload(root, inStore, random, recorder, ledger, crash * 1_000_000L);
            workload.Open();
            first?.Invoke(workload);
            workload.Run(steps);
            Say("letters requeued", ledger.Requeued);
        }
        catch (Exception exception)
        {
            Violate("while recorded", Text(exception));
        }
    }

    private void Check(Recorder recorded, Ledger ledger, int now, int imageSeed, string name) =>
        Check(recorded, now, ledger, now, imageSeed, name);

    private void Check(Recorder recorded, int at, Ledger ledger, int now, int imageSeed, string name)
    {
        string root = Fresh("image");
        var random = new Random(imageSeed);
        var image = new CrashImage(recorded, at, random);
        image.Write(root);
        var found = new List<string>();
        var check = new ImageCheck(root, ledger, now, found.Add);
        try
        {
            check.Run(throughStore: File.Exists(Path.Combine(root, "store.transactions")) && random.Next(2) == 0);
        }
        catch (Exception exception)
        {
            found.Add(Text(exception));
        }
        if (found.Count > 0)
        {
            Violate($"{name} ({image.Style}, event {at} of {recorded.Now})", found.Count == 1 ? found[0] : $"{string.Join("; ", found)}");
        }
        if (found.Count > 0 && _saved++ < MostSaved)
        {
            Directory.Delete(Fresh("image"));
            new CrashImage(recorded, at, new Random(imageSeed))
                .Write(Path.Combine(Path.GetTempPath(), $"blitqueue-power-{_seed}-{_run}-{_saved}"));
        }
        Say("images", 1);
        Say("letters in images", check.LettersSetAside);
        Say("letters in images with the reason of a message given back", check.LettersGivenUp);
    }

    // Half of them right behind or in front of something that reached the disk: most faults show there.
    private static int CrashPoint(Recorder recorded, Random random) =>
        random.Next(2) == 0 && recorded.Syncs.Count > 0
            ? recorded.Syncs[random.Next(recorded.Syncs.Count)] - random.Next(2)
            : random.Next(recorded.Now + 1);

    private void Violate(string where, string what) =>
        Console.WriteLine($"violation run {_run}, {where}: {what.ReplaceLineEndings(" | ")}");

    // Where it came from says enough.
    private static string Text(Exception exception)
        => string.Join(" | ", exception.ToString().ReplaceLineEndings("\n").Split('\n').Take(20));

    private static void Say(string counter, int number) => Console.WriteLine($"{counter}\t{number}");

    private string Fresh(string name)
    {
        string path = Path.Combine(_root, name);
        if (Directory.Exists(path))
        {
            Directory.Delete(path, recursive: true);
        }
        return Directory.CreateDirectory(path).FullName;
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);
}
