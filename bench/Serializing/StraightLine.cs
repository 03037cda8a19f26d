using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Serializing;

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
        return Ascii.FromUtf16(name, room[Text..], out int written) == OperationStatus.Done ? Text + written : throw new InvalidOperationException();
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
