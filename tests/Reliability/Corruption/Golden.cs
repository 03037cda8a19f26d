using BlitQueue.Log;

namespace BlitQueue.Reliability.Corruption;

/// <summary>An undamaged store: its files, an earlier state of them, and what is to come out of them.</summary>
/// <param name="name">For the reader of a violation.</param>
/// <param name="hasChecksum">Whether payloads are checked.</param>
/// <param name="queue">The queue's directory inside the store; empty where the store is the queue.</param>
internal abstract class Golden(string name, bool hasChecksum, string queue)
{
    public string Name => name;

    public bool HasChecksum => hasChecksum;

    public string Queue => queue;

    /// <summary>The files as they are damaged and read.</summary>
    public required StoreFiles Files { get; init; }

    /// <summary>The files as they were some time before: where stale pages come from.</summary>
    public required StoreFiles Earlier { get; init; }

    /// <summary>What an undamaged copy gives: in this boot, and after a restart.</summary>
    public Reading[] Undamaged { get; } = new Reading[2];

    /// <summary>Where the messages stand, in order.</summary>
    public List<GoldenRecord> Records { get; } = [];

    /// <summary>Opens the queue in a directory, reads all there is in all the ways there are, and appends.</summary>
    public abstract Reading Read(string directory);

    /// <summary>Learns where the messages stand.</summary>
    protected abstract void Locate(string directory);

    /// <summary>Learns what an undamaged copy gives.</summary>
    public void Learn(string directory)
    {
        string located = Path.Combine(directory, "locate");
        Files.Write(located);
        Locate(located);
        Directory.Delete(located, recursive: true);
        foreach (bool restart in (bool[])[false, true])
        {
            string copy = Path.Combine(directory, $"learn-{restart}");
            Files.Write(copy);
            if (restart)
            {
                PretendRestart(copy, durable: false);
            }
            Reading reading = Undamaged[restart ? 1 : 0] = Read(copy);
            if (reading.Faults.Count > 0)
            {
                throw new InvalidOperationException($"The undamaged store '{name}' is not readable: {string.Join("; ", reading.Faults)}");
            }
            Directory.Delete(copy, recursive: true);
        }
    }

    /// <summary>As if the machine had been started anew since the queue was used.</summary>
    /// <param name="directory">The store.</param>
    /// <param name="durable">Whether all of it was on the disk then.</param>
    public static void PretendRestart(string directory, bool durable)
    {
        foreach (string name in (string[])[StoreFormat.ControlName, TransactionFormat.FileName])
        {
            foreach (string path in Directory.EnumerateFiles(directory, name, SearchOption.AllDirectories))
            {
                using FileStream file = File.Open(path, FileMode.Open, FileAccess.ReadWrite);
                file.Position = ControlFormat.BootOffset;
                file.Write("00000000-0000-0000-0000-00000000"u8);
                if (durable && name == StoreFormat.ControlName)
                {
                    byte[] tail = new byte[8];
                    file.Position = ControlFormat.TailOffset;
                    file.ReadExactly(tail);
                    file.Position = ControlFormat.DurableOffset;
                    file.Write(tail);
                }
            }
        }
    }
}

/// <summary>Where a message of an undamaged store stands.</summary>
/// <param name="Key">The message's.</param>
/// <param name="File">The segment that it begins in, relative.</param>
/// <param name="Offset">Of its record, in the file.</param>
/// <param name="Length">Bytes of its record; 0 where it is in several, so that whole segments are compared.</param>
internal readonly record struct GoldenRecord(long Key, string File, int Offset, int Length);
