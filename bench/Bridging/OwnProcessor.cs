using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace BlitQueue.Bench.Bridging;

/// <summary>
/// Gives the calling thread a processor of its own: the other threads of this process, and all processes that it has started, run on the
/// others until this is disposed.
/// </summary>
internal sealed partial class OwnProcessor : IDisposable
{
    private const string All = "0-1023", Own = "0", Others = "1-1023";

    public OwnProcessor()
    {
        Set(Others);
        Run("-p", "-c", Own, $"{GetThread()}");
    }

    public void Dispose() => Set(All);

    private static void Set(string processors)
    {
        foreach (int process in WithDescendants(Environment.ProcessId))
        {
            Run("-a", "-p", "-c", processors, $"{process}");
        }
    }

    private static IEnumerable<int> WithDescendants(int root)
    {
        ILookup<int, int> children = Directory.EnumerateDirectories("/proc")
            .Select(static path => int.TryParse(Path.GetFileName(path), CultureInfo.InvariantCulture, out int id) ? id : 0)
            .Where(static id => id != 0).ToLookup(ParentOf);
        return Below(root);

        IEnumerable<int> Below(int process) => children[process].SelectMany(Below).Prepend(process);
    }

    // 0 of a process that has ended.
    private static int ParentOf(int process)
    {
        try
        {
            string stat = File.ReadAllText($"/proc/{process}/stat");
            // Behind the name, which may have spaces, and the state.
            return int.Parse(stat[(stat.LastIndexOf(')') + 4)..].Split(' ')[0], CultureInfo.InvariantCulture);
        }
        catch (IOException)
        {
            return 0;
        }
    }

    // A process that has ended meanwhile has no processors.
    private static void Run(params string[] arguments)
    {
        var start = new ProcessStartInfo("taskset", arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        using Process taskset = Process.Start(start)!;
        taskset.WaitForExit();
    }

    [LibraryImport("libc", EntryPoint = "gettid")]
    private static partial int GetThread();
}
