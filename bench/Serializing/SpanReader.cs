using System.Buffers.Binary;
using System.Text;

namespace BlitQueue.Bench.Serializing;

/// <summary>What reads a <see cref="SpanWriter"/>'s bytes, trusting them.</summary>
internal ref struct SpanReader(ReadOnlySpan<byte> bytes)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;

    public int Position { get; private set; }

    public int ReadInt32()
    {
        int value = BinaryPrimitives.ReadInt32LittleEndian(_bytes[Position..]);
        Position += sizeof(int);
        return value;
    }

    public long ReadInt64()
    {
        long value = BinaryPrimitives.ReadInt64LittleEndian(_bytes[Position..]);
        Position += sizeof(long);
        return value;
    }

    public double ReadDouble()
    {
        double value = BinaryPrimitives.ReadDoubleLittleEndian(_bytes[Position..]);
        Position += sizeof(double);
        return value;
    }

    public string? ReadString(string? reuse)
    {
        int length = ReadInt32() - sizeof(int);
        if (length < 0)
        {
            return null;
        }
        int chars = ReadInt32();
        ReadOnlySpan<byte> text = _bytes.Slice(Position, length);
        Position += length;
        return chars != length ? Encoding.UTF8.GetString(text)
            : Ascii.Equals(text, reuse) ? reuse : Encoding.ASCII.GetString(text);
    }
}
