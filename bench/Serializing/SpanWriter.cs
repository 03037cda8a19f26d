using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace BlitQueue.Bench.Serializing;

/// <summary>A writer as one writes it by hand: little-endian values and strings behind their two lengths, checked by the span alone.</summary>
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
