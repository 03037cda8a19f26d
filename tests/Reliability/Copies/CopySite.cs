using System.Globalization;
using BlitQueue.Reliability.Disk;

namespace BlitQueue.Reliability.Copies;

/// <summary>The process that has a queue at work, copies it again and again, and opens the copies.</summary>
internal sealed class CopySite(string kind, string root, string? image, Random random)
{
    private readonly string _queue = Path.Combine(root, "site", "queue");
    private readonly string _copy = Path.Combine(root, "copy");
    private readonly string[] _ways = WaysOf(kind);

    /// <param name="arguments">A kind of the campaign, and the seed.</param>
    public static int Run(string[] arguments)
    {
        Console.SetOut(TextWriter.Synchronized(new StreamWriter(Console.OpenStandardOutput()) { AutoFlush = true }));
        (string kind, int seed) = (arguments[0], int.Parse(arguments[1], CultureInfo.InvariantCulture));
        Task<string> ended = Task.Run(Console.In.ReadToEnd);
        string root = Directory.CreateTempSubdirectory("blitqueue-copies-").FullName;
        using (SmallDisk? disk = DiskOf(kind, root))
        {
            string? image = kind == CopiesCampaign.Image ? Path.Combine(root, "memory", "image") : null;
            for (int part = 1; !ended.IsCompleted; part++)
            {
                new CopySite(kind, disk?.MountPoint ?? root, image, new Random(unchecked((seed * 7919) + (part * 104_729) + kind.Length)))
                    .Run(
                    ended, part);
            }
        }
        Directory.Delete(root, recursive: true);
        return 0;
    }

    private static SmallDisk? DiskOf(string kind, string root) => kind switch
    {
        CopiesCampaign.Ordinary or CopiesCampaign.Store => null,
        CopiesCampaign.Image => SmallDisk.OfLoop(root, blockSize: 4096, kibibytes: 64 << 10),
        _ => SmallDisk.OfSharing(root, kind),
    };

    private static string[] WaysOf(string kind) => kind switch
    {
        SharingCampaign.Xfs => [CopyWay.Reflink, CopyWay.Cp],
        SharingCampaign.Btrfs => [CopyWay.Snapshot, CopyWay.Cp],
        CopiesCampaign.Image => [CopyWay.Image],
        _ => [CopyWay.Cp, CopyWay.Rsync, CopyWay.Backup, CopyWay.AfterTheEnd],
    };

    // A queue with settings of its own, copied some times.
    private void Run(Task ended, int part)
    {
        var way = new CopyWay(_queue, _copy, image);
        way.PrepareSite();
        using ICopyLoad load = kind == CopiesCampaign.Store ? new StoreLoad(_queue, random) : new CopyLoad(_queue, random);
        for (int copies = random.Next(5, 15); copies > 0 && !ended.IsCompleted && load.Fault is null; copies--)
        {
            Thread.Sleep(random.Next(60));
            string name = _ways[random.Next(_ways.Length)];
            bool isRestarted = random.Next(3) == 0;
            load.NoteBegin();
            if (name == CopyWay.AfterTheEnd)
            {
                // An earlier copy, which is brought up to date.
                way.Take(CopyWay.Rsync);
                load.End();
                load.NoteBegin();
            }
            bool isTaken = way.Take(name);
            load.NoteEnd();
            if (name == CopyWay.AfterTheEnd)
            {
                load.Begin();
            }
            string result = isTaken ? load.Check(way.Copied, name, isRestarted) : "could not be made";
            string what = kind == CopiesCampaign.Store ? $"store, {name}" : name;
            Say(result.StartsWith("violation", StringComparison.Ordinal)
                ? $"{result} ({kind}, part {part}, {name}, {(isRestarted ? "another boot" : "the same boot")}, {load.Noted})"
                : $"copies\t1\n{what}\t1\n{what}: {result}\t1\n{(isRestarted ? "as on another boot" : "on the same boot")}\t1");
            way.Delete();
        }
        load.End();
        Say(load.Fault is { } fault ? $"violation in the queue itself: {fault}" : $"messages\t{load.Messages}");
        load.Dispose();
        way.DeleteSite();
    }

    private static void Say(string lines)
    {
        foreach (string line in lines.Split('\n'))
        {
            Console.WriteLine(line.ReplaceLineEndings(" | "));
        }
    }
}
