using System.Runtime.CompilerServices;
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
