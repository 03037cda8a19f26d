using System.Globalization;
using System.Runtime.InteropServices;
using BlitQueue.Reliability.Disk;
using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>
/// The process may make no file longer than so much, less than a segment: what is made then, ahead of need too, is refused.
/// </summary>
internal static class FileLengths
{
    private const int FileTooLong = 25, Count = 400, Waiting = 30, Large = 6000;

    public static void Run(string root)
    {
        // The system sends a signal with each refusal, which would end the process.
        using var ignored = PosixSignalRegistration.Create((PosixSignal)FileTooLong, static context => context.Cancel = true);
        int refused = 0;
        foreach (int limit in (ReadOnlySpan<int>)[1, 100, 4096, 4104, 5000, 65535])
        {
            refused += Try(Path.Combine(root, $"queue-{limit}"), limit);
        }
        SystemWorker.Require(refused > 0, "nothing was refused");
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"calls refused for want of a file's length\t{refused}"));
    }

    // How many calls were refused.
    private static int Try(string path, int limit)
    {
        using var queue = MappedQueue<Item>.Open(path, SystemWorker.Small);
        // Half of it is passed, so that its files are there to come back.
        SystemWorker.Fill(queue, 0, 2 * Waiting, Large);
        SystemWorker.Drain(queue, 0, Waiting);
        long first = Waiting, next = 2 * Waiting;
        int refused = 0;
        Limit(limit);
        try
        {
            for (int attempt = 0; attempt < Count; attempt++)
            {
                QueueException? told = SystemWorker.Try(() => queue.Enqueue(new Item().Fill(next, Large)));
                SystemWorker.Require(told is null or QueueFullException, $"a limit of {limit} bytes is told as {told}");
                refused += told is null ? 0 : 1;
                next += told is null ? 1 : 0;
                // So that passed segments come back.
                if (next - first > Waiting)
                {
                    SystemWorker.Drain(queue, first++, 1);
                }
            }
        }
        finally
        {
            Limit(-1);
        }
        SystemWorker.Fill(queue, next, Waiting, Large);
        SystemWorker.DrainAll(queue, first, next + Waiting - first);
        return refused;
    }

    private static void Limit(int bytes) => MountSpace.Run(
        "prlimit", "--pid", Environment.ProcessId.ToString(CultureInfo.InvariantCulture),
        bytes < 0 ? "--fsize=unlimited" : string.Create(CultureInfo.InvariantCulture, $"--fsize={bytes}:unlimited"));
}
