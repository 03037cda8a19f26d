using System.IO.Compression;
using System.Text.Unicode;

namespace BlitQueue.Cli.Codecs;

/// <summary>Compressed bytes or text: shown as they were before compression.</summary>
internal sealed class BrotliCodec(bool isText) : Codec
{
    // The values of the library, so that a member that is packed again has the same bytes.
    private const int Quality = 4, Window = 22;
    private const long MostWarranted = 48 << 20, WarrantedByByte = 80;

    private readonly int _most = isText ? 16 << 20 : 32 << 20;

    public override void Decode(ref PackedInput input, JsonOutput json)
    {
        int length = input.Length();
        if (length <= 0)
        {
            WriteEmpty(json, isNull: length < 0);
            return;
        }
        uint size = length >= sizeof(uint) ? input.U32() : 0;
        if (size == 0 || size > _most)
        {
            throw input.Fault($"the bytes are no Brotli stream of 1 to {_most} bytes");
        }
        input.Decompressed += size * (isText ? 3L : 1L);
        if (input.Decompressed > Math.Max(MostWarranted, WarrantedByByte * input.Data.Length))
        {
            throw input.Fault("the message does not warrant compressed members of so many bytes");
        }
        byte[] content = new byte[size];
        using var decoder = default(BrotliDecoder);
        bool isWhole = decoder.Decompress(input.Take(length - sizeof(uint)), content, out int read, out int written)
            == System.Buffers.OperationStatus.Done && read == length - sizeof(uint) && written == size;
        if (!isWhole || (isText && !Utf8.IsValid(content)))
        {
            throw input.Fault($"the bytes are no Brotli stream of {size} bytes");
        }
        if (isText)
        {
            json.Text(Encoding.UTF8.GetString(content));
        }
        else
        {
            json.Base64(content);
        }
    }

    private static void WriteEmpty(JsonOutput json, bool isNull)
    {
        if (isNull)
        {
            json.Null();
        }
        else
        {
            json.Text("");
        }
    }

    public override void Encode(ref JsonInput json, PackedOutput output)
    {
        if (json.IsNull)
        {
            output.WriteNull();
            return;
        }
        byte[] content = isText ? Encoding.UTF8.GetBytes(json.Text()) : json.Base64();
        if (content.Length > _most)
        {
            throw json.Fault($"{content.Length} bytes are more than a compressed member may have");
        }
        int begun = output.Begin();
        if (content.Length > 0)
        {
            output.U32((uint)content.Length);
            byte[] packed = new byte[BrotliEncoder.GetMaxCompressedLength(content.Length)];
            BrotliEncoder.TryCompress(content, packed, out int written, Quality, Window);
            output.Write(packed.AsSpan(0, written));
        }
        output.End(begun);
    }
}
