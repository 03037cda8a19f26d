namespace BlitQueue.Peer.Mixed;

/// <summary>A parcel whose bytes are packed by a packer of its own, which throws where <see cref="Prick"/> says so.</summary>
[QueueMessage]
internal sealed partial class Wrapped : IParcel
{
    public int Producer { get; set; }

    public long Number { get; set; }

    public int Length { get; set; }

    [PackWith(typeof(BytesPacker))]
    public byte[] Body { get; set; } = [];

    [OnUnpacked]
    private void AfterUnpacking() => Prick.TouchUnpacked(Number);

    internal sealed class BytesPacker : IPacker<byte[]>
    {
        public static void Pack(ref PackWriter writer, scoped in byte[]? value)
        {
            Prick.Touch("a packer, packing");
            writer.WriteSpan<byte>(value);
            Prick.Touch("a packer that has packed");
        }

        public static void Unpack(ref PackReader reader, scoped ref byte[]? value)
        {
            Prick.Touch("a packer, unpacking");
            ReadOnlySpan<byte> bytes = reader.ReadSpan<byte>();
            if (value?.Length == bytes.Length)
            {
                bytes.CopyTo(value);
            }
            else
            {
                value = bytes.ToArray();
            }
            Prick.Touch("a packer that has unpacked");
        }
    }
}
