using System.Text;
using BlitQueue.Log;
using BlitQueue.Mutations;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Fuzzing;

/// <summary>Mutates what the files hold beside messages, and gives it to its readers, without files where that goes.</summary>
internal sealed class FormatFuzz
{
    private const int Inputs = 256;

    // What any of them may allocate for a few kilobytes: a schema stream of a header is decompressed into what it says, 64 MiB at most.
    private const long MostAllocated = 160L << 20;

    private readonly byte[] _header = new byte[4096 - SegmentFormat.SchemaOffset];
    private readonly byte[] _slot = new byte[TransactionFormat.SlotSize];
    private readonly byte[] _block;
    private readonly byte[] _schema;
    private readonly byte[] _meta;
    private readonly string _directory = Path.Combine(Path.GetTempPath(), $"blitqueue-formats-{Environment.ProcessId}");

    public FormatFuzz()
    {
        SegmentSchema.Write(_header, Corruption.Evidence.Schema.Text);
        var writer = new TransactionWriter(_slot);
        writer.Add(new DecidedOutput("orders", Guid.NewGuid(), 4096, 77, 8192));
        writer.Add(new DecidedLease("bills", Guid.NewGuid(), "default", 7, 4096 | (long)LeaseState.Committing));
        writer.Complete(5, durable: true);
        _block = BlockOf();
        _schema = Encoding.UTF8.GetBytes(Corruption.Evidence.Schema.Text);
        _meta = new QueueMeta
        {
            Id = Guid.NewGuid(), SegmentSize = 1 << 16, HeaderSize = 4096, Checksum = true,
            Fingerprint = Corruption.Evidence.Schema.Fingerprint, Schema = Corruption.Evidence.Schema.Text,
        }.ToBytes();
    }

    /// <returns>How many inputs were tried.</returns>
    public int Run(CampaignRun run, Random random, long part)
    {
        for (int i = 0; i < Inputs; i++)
        {
            int kind = random.Next(5);
            byte[] seed = kind switch { 0 => _header, 1 => _slot, 2 => _block, 3 => _schema, _ => _meta };
            // The slot is large and mostly empty: what it has stands at its tables' beginnings.
            byte[] bytes = Mutator.Random(seed, _block, random);
            long before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                Read(kind, bytes, random);
            }
            catch (QueueException)
            {
                run.Count("formats refused");
            }
            catch (Exception exception)
            {
                run.Violate(
                    $"part {part}, input {i} of kind {kind}: {exception}: "
                        + $"{Convert.ToHexString(bytes.AsSpan(0, Math.Min(bytes.Length, 4096)))}");
            }
            long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            run.Highest("most bytes allocated for one format", allocated);
            if (allocated > MostAllocated)
            {
                run.Violate($"part {part}, input {i} of kind {kind}: {allocated} bytes were allocated");
            }
        }
        run.Count("formats", Inputs);
        return Inputs;
    }

    private void Read(int kind, byte[] bytes, Random random)
    {
        switch (kind)
        {
            case 0:
                if (bytes.Length >= 16 && SegmentSchema.Read(bytes) is { } text)
                {
                    SchemaText.Parse(text);
                }
                break;
            case 1:
                Array.Resize(ref bytes, TransactionFormat.SlotSize);
                TransactionReader.IsDurable(bytes, 5);
                new TransactionReader(bytes, "slot").Read(5);
                break;
            case 2:
                if (PropertyBlock.TryRead(bytes, out PropertyBlock block))
                {
                    new MessageProperties().TryFill(block);
                }
                break;
            case 3:
                string schema = Encoding.UTF8.GetString(bytes);
                SchemaText.Parse(schema);
                BlitQueue.SchemaEvolution.Obstacles(Corruption.Evidence.Schema.Text, schema, out _);
                _ = Corruption.Evidence.Schema.Difference(schema).Count();
                break;
            default:
                ReadMeta(bytes, random);
                break;
        }
    }

    // Half of them with a check that fits, which is what gets behind it.
    private void ReadMeta(byte[] bytes, Random random)
    {
        if (!Directory.Exists(_directory))
        {
            Directory.CreateDirectory(_directory);
            AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(_directory, recursive: true);
        }
        if (random.Next(2) == 0)
        {
            bytes = QueueMeta.Sealed(Encoding.UTF8.GetString(bytes));
        }
        File.WriteAllBytes(Path.Combine(_directory, StoreFormat.MetaName), bytes);
        var files = new QueueFiles(_directory, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        StoreCheck.VerifySane(files, QueueMeta.Read(files));
    }

    private static byte[] BlockOf()
    {
        var properties = new MessageProperties { Label = "label", CorrelationId = "correlation", TimeToLive = TimeSpan.FromHours(1) };
        properties.Headers["a"] = "b";
        properties.Headers["c"] = "ddddddd";
        using var queue = MappedQueue<Corruption.Evidence>.CreateAnonymous();
        queue.Enqueue(Corruption.Evidence.Of(1, 1), properties);
        byte[] segment = Site.Read(Directory.EnumerateFiles(queue.Path, StoreFormat.SegmentPrefix + "*").First());
        return segment[4104..(4104 + BitConverter.ToInt32(segment, 4104))];
    }
}
