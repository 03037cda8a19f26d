using System.Buffers.Binary;
using BlitQueue.Log;
using BlitQueue.Mutations;
using BlitQueue.Reliability.Corruption;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Fuzzing;

/// <summary>
/// Changes records and makes their checks fit again, so that the change gets behind them: kinds, lengths, ends of batches, blocks of
/// properties, pieces. The messages may be anything then; the queue must bear them.
/// </summary>
internal sealed class LogFuzz
{
    private const int Inputs = 4, SegmentSize = 1 << 16;

    private readonly ScratchDirectory _directory = new("logs");
    private Golden[]? _stores;

    /// <returns>How many inputs were tried.</returns>
    public int Run(CampaignRun run, Random random, long part)
    {
        _stores ??= GoldenStores.Make(_directory.Path);
        for (int i = 0; i < Inputs; i++)
        {
            Golden golden = _stores[random.Next(_stores.Length)];
            string path = Path.Combine(_directory.Path, $"{part}-{i}");
            golden.Files.Write(path);
            string text = Change(golden, path, random);
            if (random.Next(3) == 0)
            {
                Golden.PretendRestart(path, durable: false);
            }
            foreach (string wrong in golden.Read(path).Wrong)
            {
                run.Violate($"part {part}, input {i}, store '{golden.Name}', {text}: {wrong}");
            }
            if (random.Next(4) == 0)
            {
                MappedQueue.Repair(path);
            }
            Directory.Delete(path, recursive: true);
        }
        run.Count("logs", Inputs);
        return Inputs;
    }

    private static string Change(Golden golden, string directory, Random random)
    {
        string queue = Path.Combine(directory, golden.Queue);
        var meta = QueueMeta.Read(new QueueFiles(queue, UnixFileMode.UserRead | UnixFileMode.UserWrite));
        RecordCheck check = meta.RecordCheck;
        string text = "";
        for (int changes = random.Next(1, 4); changes > 0; changes--)
        {
            GoldenRecord record = golden.Records[random.Next(golden.Records.Count)];
            string path = Path.Combine(directory, record.File);
            byte[] bytes = File.ReadAllBytes(path);
            long start = Convert.ToInt64(Path.GetFileName(path)[StoreFormat.SegmentPrefix.Length..], 16);
            long header = BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(record.Offset));
            RecordKind kind = random.Next(2) == 0 ? RecordFormat.Kind(header) : (RecordKind)random.Next(1, 16);
            byte[] payload = PayloadOf(bytes, record, header, random);
            payload.CopyTo(bytes, record.Offset + RecordFormat.HeaderSize);
            long changed = kind == RecordKind.Gap
                ? check.Header(kind, start + record.Offset, payload.Length)
                : check.Header(kind, start + record.Offset, payload);
            BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(record.Offset), changed);
            File.WriteAllBytes(path, bytes);
            text += $"{record.File} at {record.Offset}: {header:x} is {changed:x}; ";
        }
        return text;
    }

    // What of it fits into the segment, with a length of its own.
    private static byte[] PayloadOf(byte[] segment, GoldenRecord record, long header, Random random)
    {
        int room = SegmentSize - record.Offset - (2 * RecordFormat.HeaderSize);
        byte[] payload = segment.AsSpan(record.Offset + RecordFormat.HeaderSize, Math.Min(room, RecordFormat.Length(header))).ToArray();
        switch (random.Next(4))
        {
            case 0:
                return segment.AsSpan(record.Offset + RecordFormat.HeaderSize, random.Next(room + 1)).ToArray();
            case 1 when payload.Length > 0:
                byte[] mutated = Mutator.Random(payload, payload, random);
                return mutated[..Math.Min(mutated.Length, room)];
            case 2:
                byte[] end = new byte[8];
                BinaryPrimitives.WriteInt64LittleEndian(
                    end, random.Next(3) == 0 ? random.NextInt64(long.MinValue, long.MaxValue) : 8 * random.Next(-100, 40_000));
                return end[..Math.Min(8, room)];
            default:
                return payload;
        }
    }
}
