using System.Formats.Tar;
using System.IO.Compression;
using System.Text;
using BlitQueue.Peer;

namespace BlitQueue.Clients;

/// <summary>Python reads the directories that earlier versions have left as C# does, and leaves them as they are.</summary>
public sealed class GoldenDirectoryTests
{
    // Of queue.control: the boot id, and the identities behind it, of which zeros are none.
    private const int BootOffset = 32, BootSize = 64, IdentitiesSize = 64;

    // Of all archives: one test at a time adds to it.
    private static int Messages;

    private static readonly string Archives = Path.Combine(PythonReader.Root(), "tests", "Runtime.Tests", "Golden");

    /// <summary>Each archive, as files of this system, and as those of one that runs no more, whose control file does not count.</summary>
    public static TheoryData<string, bool> All()
    {
        var data = new TheoryData<string, bool>();
        foreach (string path in Directory.GetFiles(Archives, "format-*.tar.gz").Order(StringComparer.Ordinal))
        {
            data.Add(Path.GetFileName(path), true);
            data.Add(Path.GetFileName(path), false);
        }

        return data;
    }

    [PythonTheory]
    [MemberData(nameof(All))]
    public void Python_reads_every_golden_directory_as_Csharp_does(string archive, bool isThisBoot)
    {
        using var folder = new Folder();
        using (var stream = new GZipStream(File.OpenRead(Path.Combine(Archives, archive)), CompressionMode.Decompress))
        {
            TarFile.ExtractToDirectory(stream, folder.Path, overwriteFiles: false);
        }

        if (isThisBoot)
        {
            foreach (string path in Directory.GetFiles(folder.Path, "queue.control", SearchOption.AllDirectories))
            {
                byte[] boot = new byte[BootSize + IdentitiesSize];
                Encoding.ASCII.GetBytes(File.ReadAllText("/proc/sys/kernel/random/boot_id").Trim(), boot);
                using FileStream file = File.OpenWrite(path);
                file.Position = BootOffset;
                file.Write(boot);
            }
        }

        using var python = new PythonReader();
        string[] queues =
        [
            .. Directory.GetFiles(folder.Path, "queue.meta", SearchOption.AllDirectories)
                .Select(static path => Path.GetDirectoryName(path)!)
                .Order(StringComparer.Ordinal),
        ];
        Assert.True(queues.Length >= 8);
        string before = Snapshot.Of(folder.Path);
        foreach (string queue in queues)
        {
            QueueWriter reader = Path.GetFileName(queue).StartsWith("dead-", StringComparison.Ordinal)
                ? QueueWriter.Of(typeof(Letter))
                : QueueWriter.Of(typeof(Parcel));
            IReadOnlyList<string> read = reader.Read(queue);
            Assert.True(read[^1] == "end" && read.Count > 2, $"{queue}: {read[^1]}");
            Assert.Equal(read, python.Queue(queue));
            Messages += read.Count - 1;
        }

        Assert.Equal(before, Snapshot.Of(folder.Path));
        PythonRun.Record("messages in golden directories", Messages);
    }
}
