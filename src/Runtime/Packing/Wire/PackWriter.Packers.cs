using System.IO.Compression;
using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Writing for the packers that come with the library.</content>
public ref partial struct PackWriter
{
    internal void WriteBits(scoped ReadOnlySpan<bool> values)
    {
        Span<byte> content = ClaimContent(sizeof(uint) + ObjectFormat.BitBytes((uint)values.Length));
        Blit.TryWrite(content, 0, (uint)values.Length);
        Span<byte> bits = content[sizeof(uint)..];
        bits.Clear();
        for (int i = 0; i < values.Length; i++)
        {
            if (values[i])
            {
                bits[i >> 3] |= (byte)(1 << (i & 7));
            }
        }

        _written += content.Length;
    }

    internal void WriteBrotli(scoped ReadOnlySpan<byte> bytes, int maxLength, int inMemory = BrotliFormat.BytesInMemory)
    {
        if (bytes.Length > maxLength)
        {
            PackException.ThrowTooLong(bytes.Length, maxLength);
        }

        CountMemory((long)bytes.Length * inMemory);
        VariableMark mark = BeginVariable();
        if (!bytes.IsEmpty)
        {
            WriteRaw((uint)bytes.Length);
            Span<byte> room = Claim(BrotliEncoder.GetMaxCompressedLength(bytes.Length));
            if (!BrotliEncoder.TryCompress(bytes, room, out int written, BrotliFormat.Quality, BrotliFormat.Window))
            {
                throw new InvalidOperationException("Brotli needs more room than it said.");
            }

            _written += written;
        }

        EndVariable(mark);
    }

    internal void WriteBrotliString(string value, int maxLength)
    {
        long count = CountUtf8(value);
        if (count > maxLength)
        {
            PackException.ThrowTooLong(count, maxLength);
        }

        byte[] buffer = ArrayPool<byte>.Shared.Rent((int)count);
        try
        {
            WriteBrotli(buffer.AsSpan(0, Encoding.UTF8.GetBytes(value, buffer)), maxLength, BrotliFormat.TextInMemory);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
