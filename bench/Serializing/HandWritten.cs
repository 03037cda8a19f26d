using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Serializing;

/// <summary>What one would write by hand for a <see cref="Small"/>: the same bytes, over a span.</summary>
internal static class HandWritten
{
    private const int Null = -1;
    private const int Header = 20 | (1 << 16);

    [MethodImpl(MethodImplOptions.NoInlining)] // as a serializer's own method is
    public static int Pack(Span<byte> room, Small? value)
    {
        var writer = new SpanWriter(room);
        if (value is null)
        {
            writer.Write(Null);
            return writer.Written;
        }
        writer.Write(Header);
        writer.Write(value.Count);
        writer.Write(value.Id);
        writer.Write(value.Price);
        writer.Write(value.Name);
        return writer.Written;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Unpack(ReadOnlySpan<byte> bytes, ref Small? value)
    {
        var reader = new SpanReader(bytes);
        switch (reader.ReadInt32())
        {
            case Null:
                value = null;
                return reader.Position;
            case Header:
                value ??= new Small();
                value.Count = reader.ReadInt32();
                value.Id = reader.ReadInt64();
                value.Price = reader.ReadDouble();
                value.Name = reader.ReadString(value.Name);
                return reader.Position;
            default:
                throw new InvalidOperationException("These are other bytes.");
        }
    }
}

/// <summary>
/// A writer as one writes it by hand: little-endian values and strings behind their two lengths, checked by the span alone.
/// </summary>
internal ref struct SpanWriter(Span<byte> room)
{
    private const int Prefix = 8;

    private readonly Span<byte> _room = room;

    public int Written { get; private set; }

    public void Write(int value)
    {
        BinaryPrimitives.WriteInt32LittleEndian(_room[Written..], value);
        Written += sizeof(int);
    }

    public void Write(long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_room[Written..], value);
        Written += sizeof(long);
    }

    public void Write(double value)
    {
        BinaryPrimitives.WriteDoubleLittleEndian(_room[Written..], value);
        Written += sizeof(double);
    }

    public void Write(string? value)
    {
        if (value is null)
        {
            Write(-1);
            return;
        }
        Span<byte> content = _room[(Written + Prefix)..];
        if (Ascii.FromUtf16(value, content, out int bytes) != OperationStatus.Done)
        {
            bytes = Encoding.UTF8.GetBytes(value, content);
        }
        Write(bytes + sizeof(int));
        Write(value.Length);
        Written += bytes;
    }
}

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

/// <summary>
/// The floor for a <see cref="Small"/>: its bytes at constant places, nothing but what .NET checks, inlined into the loop. No serializer
/// of types it does not know can be this.
/// </summary>
internal static class StraightLine
{
    private const uint Header = 20 | (1 << 16);
    private const int Text = 32;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Pack(Span<byte> room, Small value)
    {
        string name = value.Name!;
        BinaryPrimitives.WriteUInt32LittleEndian(room, Header);
        BinaryPrimitives.WriteInt32LittleEndian(room[4..], value.Count);
        BinaryPrimitives.WriteInt64LittleEndian(room[8..], value.Id);
        BinaryPrimitives.WriteDoubleLittleEndian(room[16..], value.Price);
        BinaryPrimitives.WriteInt32LittleEndian(room[24..], name.Length + 4);
        BinaryPrimitives.WriteInt32LittleEndian(room[28..], name.Length);
        return Ascii.FromUtf16(name, room[Text..], out int written) == OperationStatus.Done
            ? Text + written
            : throw new InvalidOperationException();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Unpack(ReadOnlySpan<byte> bytes, Small value)
    {
        if (BinaryPrimitives.ReadUInt32LittleEndian(bytes) != Header)
        {
            throw new InvalidOperationException();
        }
        value.Count = BinaryPrimitives.ReadInt32LittleEndian(bytes[4..]);
        value.Id = BinaryPrimitives.ReadInt64LittleEndian(bytes[8..]);
        value.Price = BinaryPrimitives.ReadDoubleLittleEndian(bytes[16..]);
        ReadOnlySpan<byte> name = bytes.Slice(Text, BinaryPrimitives.ReadInt32LittleEndian(bytes[28..]));
        if (!Ascii.Equals(name, value.Name))
        {
            value.Name = Encoding.ASCII.GetString(name);
        }
        return Text + name.Length;
    }
}
