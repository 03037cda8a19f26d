using System.Collections;
using System.IO.Compression;
using System.Text;
using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class ReadyPackerTests
{
    private static readonly string LongText = string.Concat(Enumerable.Range(0, 2000).Select(i => $"line {i % 7}: grüße \U0001F600\n"));

    [Theory]
    [InlineData("FFFFFFFF", null)]
    [InlineData("04000000 00000000", "")]
    [InlineData("05000000 01000000 01", "1")]
    [InlineData("05000000 08000000 81", "10000001")]
    [InlineData("06000000 0A000000 0203", "0100000011")]
    public void Bits_have_the_bytes_of_a_bit_array(string hex, string? bits)
    {
        bool[]? values = bits?.Select(bit => bit == '1').ToArray();
        Assert.Equal(hex.Replace(" ", ""), Hand.Hex((ref PackWriter writer) => BitPackedBools.Pack(ref writer, in values)));
        Assert.Equal(
            hex.Replace(" ", ""), Hand.Hex((ref PackWriter writer) => writer.WriteBitArray(values is null ? null : new BitArray(values))));
        Assert.Equal(values, Bools(Convert.FromHexString(hex.Replace(" ", ""))));
    }

    [Fact]
    public void Bits_of_every_length_come_back_into_an_array_of_that_length()
    {
        var random = new Random(5);
        for (int length = 0; length < 70; length++)
        {
            bool[] values = Enumerable.Range(0, length).Select(_ => random.Next(2) == 1).ToArray();
            byte[] bytes = Hand.Pack((ref PackWriter writer) => BitPackedBools.Pack(ref writer, in values));
            bool[] given = new bool[length];
            Array.Fill(given, true);
            Assert.Same(given, Bools(bytes, given));
            Assert.Equal(values, given);
            Assert.Equal(values, Bools(bytes, new bool[length + 1]));
        }
    }

    [Theory]
    [InlineData("04000000 01000000")]
    [InlineData("05000000 09000000 FF")]
    [InlineData("05000000 00000000 00")]
    [InlineData("04000000 FFFFFFFF")]
    [InlineData("03000000 000000")]
    [InlineData("05000000 01000000")]
    public void Bits_that_do_not_fit_their_number_are_refused(string hex)
        => Hand.Refused(
            hex, (ref PackReader reader) => { bool[]? values = null; BitPackedBools.Unpack(ref reader, ref values); return values; });

    [Fact]
    public void An_interned_string_has_the_bytes_of_any_and_is_one_object()
    {
        foreach (string? text in (string?[])[null, "", "a", "grüße", new string('x', 128), new string('y', 129), LongText])
        {
            byte[] bytes = Hand.Pack((ref PackWriter writer) => InternedString.Pack(ref writer, in text));
            Assert.Equal(Hand.Pack((ref PackWriter writer) => writer.WriteString(text)), bytes);
            (string? first, string? second) = (Interned(bytes), Interned(bytes));
            Assert.Equal(text, first);
            Assert.Equal(text, second);
            if (text is not null && Encoding.UTF8.GetByteCount(text) <= 128)
            {
                Assert.Same(first, second);
            }
        }

        Assert.NotSame(Interned(Packed(new string('y', 129))), Interned(Packed(new string('y', 129))));
    }

    [Fact]
    public void An_interned_string_is_the_known_one_and_not_the_given()
    {
        byte[] bytes = Packed("sensor 17");
        string? known = Interned(bytes);
        Assert.Same(known, Interned(bytes, new string("sensor 17")));
        Assert.Same(known, Interned(bytes, "another"));
    }

    [Fact]
    public void What_is_interned_is_bounded()
    {
        var kept = new List<WeakReference>();
        Flood(kept, 100_000);
        GC.Collect();
        Assert.InRange(kept.Count(text => text.IsAlive), 1, 4096);
    }

    [Fact]
    public void A_known_string_costs_nothing()
    {
        byte[] bytes = Packed("temperature");
        string? known = Interned(bytes);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            Assert.Same(known, Interned(bytes));
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Compressed_bytes_come_back()
    {
        byte[] random = new byte[100_000];
        new Random(6).NextBytes(random);
        foreach (byte[]? bytes in (byte[]?[])[null, [], [7], Encoding.UTF8.GetBytes(LongText), new byte[3_000_000], random,
            new byte[BrotliBytes.MaxLength]])
        {
            byte[] packed = Hand.Pack((ref PackWriter writer) => BrotliBytes.Pack(ref writer, in bytes));
            byte[]? unpacked = Bytes(packed);
            Assert.Equal(bytes is null, unpacked is null);
            Assert.True(bytes.AsSpan().SequenceEqual(unpacked));
            byte[] given = new byte[bytes?.Length ?? 1];
            Assert.Equal(bytes is not null, ReferenceEquals(given, Bytes(packed, given)));
        }

        Assert.True(Hand.Pack((ref PackWriter writer) => BrotliBytes.Pack(ref writer, Encoding.UTF8.GetBytes(LongText))).Length < 500);
    }

    [Fact]
    public void Compressed_text_comes_back_and_an_equal_string_stays()
    {
        foreach (string? text in (string?[])[null, "", "a", "grüße", LongText, new string('z', 1_000_000),
            new string('z', BrotliString.MaxLength)])
        {
            byte[] packed = Hand.Pack((ref PackWriter writer) => BrotliString.Pack(ref writer, in text));
            Assert.Equal(text, Text(packed));
            if (text is { Length: > 0 })
            {
                Assert.Same(text, Text(packed, text));
            }

            Assert.Equal(text, Text(packed, "another"));
        }

        Assert.Equal("a\uFFFDb", Text(Hand.Pack((ref PackWriter writer) => BrotliString.Pack(ref writer, "a\uD800b"))));
    }

    // Written once by the encoder of .NET 10, and to be read for ever.
    [Theory]
    [InlineData("16000000170000001B1600000436C6D6F51FA12114F2C4E15907", "hello hello hello hello")]
    [InlineData("00000000", "")]
    [InlineData("FFFFFFFF", null)]
    public void Golden_streams_are_read(string hex, string? text)
    {
        Assert.Equal(text, Text(Convert.FromHexString(hex)));
        Assert.Equal(text, Bytes(Convert.FromHexString(hex)) is { } bytes ? Encoding.UTF8.GetString(bytes) : null);
    }

    [Fact]
    public void More_than_the_limit_is_refused_in_both_directions()
    {
        Assert.Throws<PackException>(
            () => Hand.Pack((ref PackWriter writer) => BrotliBytes.Pack(ref writer, new byte[BrotliBytes.MaxLength + 1])));
        Assert.Throws<PackException>(
            () => Hand.Pack((ref PackWriter writer) => BrotliString.Pack(ref writer, new string('ü', (BrotliString.MaxLength / 2) + 1))));
        RefusedBytes(Stream(BrotliBytes.MaxLength + 1, Compressed(new byte[BrotliBytes.MaxLength + 1])));
        RefusedText(Stream(BrotliString.MaxLength + 1, Compressed(new byte[BrotliString.MaxLength + 1])));
    }

    [Fact]
    public void A_stream_that_is_not_what_it_says_is_refused()
    {
        byte[] content = Encoding.UTF8.GetBytes(LongText);
        byte[] stream = Compressed(content);
        Assert.Equal(LongText, Text(Stream(content.Length, stream)));
        foreach (int length in (int[])[0, 1, content.Length - 1, content.Length + 1, content.Length * 50, BrotliString.MaxLength,
            int.MaxValue, -1])
        {
            RefusedBytes(Stream(length, stream));
            RefusedText(Stream(length, stream));
        }

        RefusedBytes(Stream(content.Length, [.. stream, 0]));
        for (int length = 0; length < stream.Length; length++)
        {
            RefusedBytes(Stream(content.Length, stream[..length]));
            RefusedText(Stream(content.Length, stream[..length]));
        }

        RefusedText(Stream(2, Compressed([0xC3, 0x28])));
        RefusedText(Stream(3, Compressed([0xED, 0xA0, 0x80])));
        RefusedBytes([1, 0, 0, 0, 0]);
    }

    [Fact]
    public void A_bomb_costs_no_memory()
    {
        // 4 KiB that hold far more than the limit, and say that they hold just as much as is allowed.
        byte[] bomb = Compressed(new byte[4 * BrotliBytes.MaxLength]);
        Assert.InRange(bomb.Length, 1, 4096);
        RefusedBytes(Stream(BrotliBytes.MaxLength, bomb));
        long before = GC.GetAllocatedBytesForCurrentThread();
        RefusedBytes(Stream(BrotliBytes.MaxLength, bomb));
        RefusedText(Stream(BrotliString.MaxLength, bomb));
        RefusedBytes(Stream(BrotliBytes.MaxLength, Compressed([1, 2, 3])));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1_000_000);
    }

    [Fact]
    public void Mutated_streams_do_no_worse_than_an_exception_of_ours()
    {
        byte[] packed = Hand.Pack((ref PackWriter writer) => BrotliString.Pack(ref writer, LongText[..600]));
        var random = new Random(7);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] hostile = (byte[])packed.Clone();
            for (int changes = random.Next(1, 4); changes > 0; changes--)
            {
                hostile[random.Next(hostile.Length)] = (byte)random.Next(256);
            }

            try
            {
                Read(hostile, (ref PackReader reader) => { string? value = null; BrotliString.Unpack(ref reader, ref value); });
            }
            catch (PackException)
            {
            }
        }
    }

    private static void Flood(List<WeakReference> kept, int count)
    {
        for (int i = 0; i < count; i++)
        {
            kept.Add(new WeakReference(Interned(Packed($"flood {i}"))));
        }
    }

    private static byte[] Packed(string text) => Hand.Pack((ref PackWriter writer) => writer.WriteString(text));

    private static byte[] Compressed(byte[] content)
    {
        byte[] destination = new byte[BrotliEncoder.GetMaxCompressedLength(content.Length)];
        Assert.True(BrotliEncoder.TryCompress(content, destination, out int written, quality: 5, window: 22));
        return destination[..written];
    }

    private static byte[] Stream(int declared, byte[] stream)
        => [.. BitConverter.GetBytes(stream.Length + 4), .. BitConverter.GetBytes(declared), .. stream];

    private static void RefusedBytes(byte[] packed)
        => Assert.Throws<PackException>(
            () => Read(packed, (ref PackReader reader) => { byte[]? value = null; BrotliBytes.Unpack(ref reader, ref value); }));

    private static void RefusedText(byte[] packed)
        => Assert.Throws<PackException>(
            () => Read(packed, (ref PackReader reader) => { string? value = null; BrotliString.Unpack(ref reader, ref value); }));

    private static void Read(byte[] packed, Reading reading)
    {
        var reader = new PackReader(packed);
        reading(ref reader);
    }

    private static bool[]? Bools(byte[] packed, bool[]? value = null)
        => Hand.Unpack(packed, (ref PackReader reader) => { BitPackedBools.Unpack(ref reader, ref value); return value; });

    private static string? Interned(byte[] packed, string? value = null)
    {
        var reader = new PackReader(packed);
        InternedString.Unpack(ref reader, ref value);
        return value;
    }

    private static byte[]? Bytes(byte[] packed, byte[]? value = null)
        => Hand.Unpack(packed, (ref PackReader reader) => { BrotliBytes.Unpack(ref reader, ref value); return value; });

    private static string? Text(byte[] packed, string? value = null)
        => Hand.Unpack(packed, (ref PackReader reader) => { BrotliString.Unpack(ref reader, ref value); return value; });

    private delegate void Reading(ref PackReader reader);
}
