using System.Buffers.Binary;

namespace BlitQueue.Peer;

/// <summary>
/// A message that tells by itself whether it is whole: who sent it, its number, its length, and bytes that follow from the three.
/// </summary>
public sealed class Parcel : IPackable<Parcel>
{
    private byte[] _body = [];

    public int Producer { get; private set; }

    public long Number { get; private set; }

    /// <summary>How many bytes the producer put in; <see cref="IsIntact"/> compares.</summary>
    public int Length { get; private set; }

    public static MessageSchema Schema { get; } = new(
        nameof(Parcel),
        [
            new MemberSchema(nameof(Number), "i64"), new MemberSchema(nameof(Producer), "i32"), new MemberSchema(nameof(Length), "i32"),
            new MemberSchema("Body", "list<u8>"),
        ]);

    /// <summary>Makes this the producer's parcel of that number.</summary>
    public Parcel Fill(int producer, long number, int length)
    {
        (Producer, Number, Length) = (producer, number, length);
        if (_body.Length != length)
        {
            _body = new byte[length];
        }
        ulong state = Seed;
        Span<byte> rest = _body;
        for (; rest.Length >= 8; rest = rest[8..])
        {
            BinaryPrimitives.WriteUInt64LittleEndian(rest, state = Next(state));
        }
        for (int i = 0; i < rest.Length; i++)
        {
            rest[i] = (byte)(state = Next(state));
        }
        return this;
    }

    /// <summary>Whether the bytes are those that the producer made.</summary>
    public bool IsIntact()
    {
        ulong state = Seed;
        ReadOnlySpan<byte> rest = _body;
        if (rest.Length != Length)
        {
            return false;
        }
        for (; rest.Length >= 8; rest = rest[8..])
        {
            if (BinaryPrimitives.ReadUInt64LittleEndian(rest) != (state = Next(state)))
            {
                return false;
            }
        }
        for (int i = 0; i < rest.Length; i++)
        {
            if (rest[i] != (byte)(state = Next(state)))
            {
                return false;
            }
        }
        return true;
    }

    private ulong Seed => ((ulong)(uint)Producer << 40) ^ ((ulong)Number << 8) ^ (uint)Length ^ 0x9E37_79B9_7F4A_7C15;

    private static ulong Next(ulong state)
    {
        state ^= state << 13;
        state ^= state >> 7;
        return state ^ (state << 17);
    }

    public static void Pack(ref PackWriter writer, scoped in Parcel? value)
    {
        if (value is null)
        {
            writer.WriteNull();
            return;
        }
        FixedBlockWriter block = writer.BeginMessage(16, 1);
        block.Write(0, value.Number);
        block.Write(8, value.Producer);
        block.Write(12, value.Length);
        writer.WriteSpan<byte>(value._body);
        writer.EndMessage();
    }

    public static void Unpack(ref PackReader reader, scoped ref Parcel? value)
    {
        if (!reader.BeginMessage(out FixedBlockReader block))
        {
            value = null;
            return;
        }
        value ??= new Parcel();
        value.Number = block.Read<long>(0);
        value.Producer = block.Read<int>(8);
        value.Length = block.Read<int>(12);
        value._body = reader.ReadArray(value._body) ?? [];
        reader.EndMessage(block, 1);
    }
}
