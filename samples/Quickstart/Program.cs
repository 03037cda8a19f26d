using System.Runtime.InteropServices;
using BlitQueue;

namespace Quickstart;

/// <summary>
/// Sends files line by line through a queue from one process to another, which rebuilds them; then compares the SHA-256 of both sides.
/// The same program is all three: the launcher that the user starts, the producer and the consumer.
/// </summary>
internal static class Program
{
    public const string ProducerVerb = "--producer", ConsumerVerb = "--consumer";

    private const string Usage = """
        Usage: dotnet run -c Release --project samples/Quickstart [path] [--kill]

          path     a folder, a file, or - for standard input; without it, the current folder
          --kill   kill the consumer, then the producer, midway, and go on with new ones
        """;

    private static async Task<int> Main(string[] args)
    {
        string[] paths = [.. args.Where(static arg => arg != "--kill")];
        try
        {
            if (args is [ProducerVerb or ConsumerVerb, var folder, var killPoint])
            {
                Work(args[0] == ProducerVerb ? Producer.Run : Consumer.Run, new Workspace(folder), new KillPoint(long.Parse(killPoint)));
                return 0;
            }
            if (paths is [] or [not ([] or ['-', _, ..])])
            {
                return await LaunchAsync(paths is [var path] ? path : ".", kill: args.Length > paths.Length) ? 0 : 1;
            }
            Console.WriteLine(Usage);
            return args is ["-h" or "--help"] ? 0 : 2;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or QueueException or OperationCanceledException)
        {
            Console.Error.WriteLine($"quickstart: {error.Message}");
            return error is OperationCanceledException ? 130 : 1;
        }
    }

    private static async Task<bool> LaunchAsync(string path, bool kill)
    {
        using var interrupt = new CancellationTokenSource();
        using var interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, call => { call.Cancel = true; interrupt.Cancel(); });
        using var terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, call => { call.Cancel = true; interrupt.Cancel(); });
        var workspace = new Workspace(Directory.CreateTempSubdirectory("blitqueue-quickstart-").FullName);
        Directory.CreateDirectory(workspace.Rebuilt);
        try
        {
            return await new Launcher(workspace, interrupt.Token).RunAsync(path, kill);
        }
        finally
        {
            Directory.Delete(workspace.Folder, recursive: true);
        }
    }

    private static void Work(Action<Workspace, KillPoint> run, Workspace workspace, KillPoint killPoint)
    {
        // Ctrl-C reaches all three processes: the launcher alone answers it. When it is gone, even killed, standard input ends.
        using var ignored = PosixSignalRegistration.Create(PosixSignal.SIGINT, static call => call.Cancel = true);
        new Thread(static () => Environment.Exit(Console.Read())) { IsBackground = true }.Start();
        run(workspace, killPoint);
    }
}
