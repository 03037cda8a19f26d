using System.IO.Compression;
using BlitQueue.Shapes.Swelling;

namespace BlitQueue.Mutations;

/// <summary>
/// Messages that nobody packs: members with as many of the smallest elements as fit into up to a megabyte, behind lengths and counts that
/// are right; and changes of them. What reads them allocates no more than the bytes warrant.
/// </summary>
/// <remarks>A message is known by seed and number alone.</remarks>
public sealed class Swelling
{
    private const int MostBytes = 1 << 20;

    private const uint Null = 0xFFFFFFFF;

    // Streams of zeros, as text as good as any; and what they say that they hold.
    private static readonly byte[][] Streams = [.. ((int[])[100, 60_000, 1 << 20, 16 << 20, 32 << 20]).Select(Stream)];

    // The null mark, an empty variable, one with an empty message or a count of none in it, a short
    // text, a part of fixed size and null, an id.
    private static readonly byte[][] Elements =
    [
        [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0, 0], [5, 0, 0, 0, 1, 0, 0, 0, (byte)'a'],
        [5, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
        [7, 0, 0, 0, 3, 0, 0, 0, (byte)'U', (byte)'T', (byte)'C'], [6, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [8, 0, 0, 0, 0, 0, 4, 0, 0xFF, 0xFF, 0xFF, 0xFF],
    ];

    private static readonly Form[] Forms =
    [
        new(FormKind.Bytes), new(FormKind.Stream), new(FormKind.Message), new(FormKind.Members), new(FormKind.Sequences),
        .. from isGrid in (bool[])[false, true]
           from front in (int[])[0, 1, 2, 4]
           from element in Enumerable.Range(0, Elements.Length + 1)
           select new Form(FormKind.Elements, isGrid, front, element),
    ];

    private readonly int _members = typeof(Swollen).GetProperties().Count(property => property.CanWrite);
    private readonly Target _target = Target.Of(typeof(Swollen));
    private readonly int _seed;

    // By member, those that come out as a value.
    private readonly Form[][] _accepted;

    public Swelling(int seed)
    {
        _seed = seed;
        _accepted = [.. Enumerable.Range(0, _members).Select(member => Forms.Where(form => IsAccepted(member, form)).ToArray())];
    }

    /// <summary>The most that one of them made a reader allocate.</summary>
    public long MostAllocated => _target.MostAllocated;

    /// <summary>How many were read and could not be packed again, as sets had dropped what was in them twice.</summary>
    public long Overweight => _target.Overweight;

    /// <summary>How many were read as messages and how many were refused.</summary>
    public (long Messages, long Faults) Outcome => (_target.Messages, _target.Faults);

    /// <summary>Reads so many of them; throws at the first that breaks the oracle.</summary>
    public void Run(long first, long count)
    {
        for (long number = first; number < first + count; number++)
        {
            var random = new Random((int)(((ulong)(uint)_seed << 32 ^ (ulong)number) * 0x9E3779B97F4A7C15 >> 33));
            byte[] bytes = Make(random);
            try
            {
                _target.Bear(bytes);
            }
            catch (Exception broken)
            {
                throw new InvalidOperationException(
                    $"Seed {_seed}, swollen message {number} of {bytes.Length} bytes: {broken.GetType().Name}: {broken.Message}\n"
                    + Convert.ToHexString(bytes.AsSpan(0, Math.Min(bytes.Length, 4096))), broken);
            }
        }
    }

    // Most are small, some are as large as any.
    private byte[] Make(Random random)
    {
        var bytes = new List<byte>();
        Message(bytes, random, 1 << random.Next(5, 21), depth: 0);
        byte[] message = bytes.Count > MostBytes ? [.. bytes.Take(MostBytes)] : bytes.ToArray();
        return random.Next(4) == 0 ? Mutator.Random(message, message, random) : message;
    }

    private void Message(List<byte> bytes, Random random, int room, int depth)
    {
        // One to four of the members have something in them.
        var filled = Enumerable.Range(0, random.Next(1, 5)).Select(_ => random.Next(_members)).ToHashSet();
        Message(bytes, member => filled.Contains(member) ? FormOf(member, random) : null, random, room / filled.Count, depth);
    }

    private void Message(List<byte> bytes, Func<int, Form?> formOf, Random random, int room, int depth)
    {
        bytes.AddRange([0, 0, (byte)_members, 0]);
        for (int member = 0; member < _members; member++)
        {
            if (formOf(member) is { } form)
            {
                Variable(bytes, form, random, room, depth);
            }
            else
            {
                Word(bytes, Null);
            }
        }
    }

    // Mostly one that gets further.
    private Form FormOf(int member, Random random)
        => random.Next(16) > 0 && _accepted[member] is { Length: > 0 } accepted
            ? accepted[random.Next(accepted.Length)]
            : Forms[random.Next(Forms.Length)];

    private bool IsAccepted(int member, Form form)
    {
        List<byte> bytes = [];
        Message(bytes, other => other == member ? form : null, new Random(1), room: 16, depth: 3);
        return _target.Accepts([.. bytes]);
    }

    private void Variable(List<byte> bytes, Form form, Random random, int room, int depth)
    {
        int start = bytes.Count;
        Word(bytes, 0);
        Content(bytes, form, random, room, depth);
        Patch(bytes, start, (uint)(bytes.Count - start - 4));
    }

    private void Content(List<byte> bytes, Form form, Random random, int room, int depth)
    {
        switch (form.Kind)
        {
            case FormKind.Elements:
                Alike(bytes, form, form.Element < Elements.Length ? Elements[form.Element] : Framed(StreamFor(random, depth)), room);
                break;
            case FormKind.Bytes:
                bytes.AddRange(new byte[room]);
                break;
            case FormKind.Stream:
                bytes.AddRange(StreamFor(random, depth));
                break;
            case FormKind.Message:
                bytes.AddRange([0, 0, 0, 0]);
                break;
            default:
                // The members of a generic message; or elements that are sequences themselves, or messages.
                bytes.AddRange(form.Kind == FormKind.Members ? [0, 0, 4, 0] : [4, 0, 0, 0]);
                for (int i = 0; i < 4; i++)
                {
                    Variable(bytes, depth < 3 ? Forms[random.Next(Forms.Length)] : new Form(FormKind.Message), random, room / 4, depth + 1);
                }

                break;
        }
    }

    // In one dimension or in two; each with a key or a byte in front, or without.
    private static void Alike(List<byte> bytes, Form form, byte[] element, int room)
    {
        int start = bytes.Count;
        Word(bytes, 0);
        if (form.IsGrid)
        {
            Word(bytes, 1);
        }

        uint count = (uint)Math.Max(1, room / (element.Length + form.Front));
        for (uint i = 0; i < count; i++)
        {
            // A key that is another each time.
            for (int at = 0; at < form.Front; at++)
            {
                bytes.Add((byte)(i >> (8 * at)));
            }

            bytes.AddRange(element);
        }

        Patch(bytes, start, count);
    }

    // A small one while it is found out what is accepted.
    private byte[] StreamFor(Random random, int depth) => Streams[_accepted is null || depth > 3 ? 0 : random.Next(Streams.Length)];

    private static byte[] Framed(byte[] content) => [.. BitConverter.GetBytes(content.Length), .. content];

    private static byte[] Stream(int length)
    {
        byte[] room = new byte[length + 1024];
        BrotliEncoder.TryCompress(new byte[length], room, out int written, quality: 4, window: 22);
        return [.. BitConverter.GetBytes(length), .. room.AsSpan(0, written)];
    }

    private static void Word(List<byte> bytes, uint word) => bytes.AddRange(BitConverter.GetBytes(word));

    private static void Patch(List<byte> bytes, int at, uint word)
    {
        for (int i = 0; i < 4; i++)
        {
            bytes[at + i] = (byte)(word >> (8 * i));
        }
    }

    private enum FormKind
    {
        Elements,
        Bytes,
        Stream,
        Message,
        Members,
        Sequences,
    }

    private sealed record Form(FormKind Kind, bool IsGrid = false, int Front = 0, int Element = 0);
}
