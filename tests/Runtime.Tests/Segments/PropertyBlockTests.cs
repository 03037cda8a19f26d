using System.Buffers.Binary;
using System.Text;
using BlitQueue.Log;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace BlitQueue.Tests.Segments;

/// <summary>The bytes in front of a message, and what is made of bytes that are none.</summary>
public sealed class PropertyBlockTests
{
    [Fact]
    public void The_bytes_are_those_of_the_format()
    {
        byte[] block = Write(new MessageProperties { CorrelationId = "ab", Headers = { ["k"] = "v" } });
        byte[] expected =
        [
            32, 0, 0, 0, 0, 0, 0x24, 0,
            2, 0, 0, 0, (byte)'a', (byte)'b',
            10, 0, 0, 0, 1, 0, 0, 0, (byte)'k', 1, 0, 0, 0, (byte)'v', 0, 0, 0, 0,
        ];
        Assert.Equal(expected, block[..expected.Length]);
        Assert.Equal(expected, block);
    }

    [Fact]
    public void Whatever_texts_there_are_come_back()
    {
        var reused = new MessageProperties();
        Prop.ForAll(Arb.From(Gen.Choose(0, int.MaxValue)), seed =>
        {
            MessageProperties written = Random(seed);
            var fresh = new MessageProperties();
            Fill(fresh, written);
            Queue.PropertyTests.AssertSame(written, fresh);
            Fill(reused, written);
            Queue.PropertyTests.AssertSame(written, reused);
        }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void What_a_newer_writer_adds_is_stepped_over()
    {
        byte[] label = [.. Length(3), .. "abc"u8];
        byte[] block =
        [
            .. Length(48), .. Length((int)PropertyKinds.Label | (1 << 5) | (1 << 18) | (1 << 30)),
            1, 2, 3, 4, 5, 6, 7, 8,
            .. Length(2), 1, 2, .. label, .. Length(9), 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0,
        ];
        Assert.True(PropertyBlock.TryRead(block, out PropertyBlock read));
        var properties = new MessageProperties();
        Assert.True(properties.TryFill(read));
        Assert.Equal("abc", properties.Label);
    }

    [Fact]
    public void Bytes_that_are_none_are_refused_or_harmless()
    {
        byte[] block = Write(Queue.PropertyTests.All());
        var random = new Random(5);
        for (int i = 0; i < 200_000; i++)
        {
            byte[] bytes = [.. block];
            for (int changes = random.Next(1, 4); changes > 0; changes--)
            {
                int index = random.Next(4) == 0 ? random.Next(8) : random.Next(bytes.Length);
                bytes[index] = random.Next(3) == 0 ? (byte)255 : (byte)random.Next(256);
            }
            bytes = bytes[..random.Next(bytes.Length + 1)];
            if (PropertyBlock.TryRead(bytes, out PropertyBlock read))
            {
                Assert.InRange(read.Length, PropertyBlock.HeaderSize, bytes.Length);
                new MessageProperties().TryFill(read);
            }
        }
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(7, 0)]
    [InlineData(9, 0)]
    [InlineData(24, 0)]
    [InlineData(int.MaxValue & ~7, 0)]
    [InlineData(16, 0)]
    [InlineData(8, (int)PropertyKinds.ExpiresAt)]
    [InlineData(8, (int)PropertyKinds.Label)]
    public void A_block_that_cannot_be_is_refused(int length, int kinds) =>
        Assert.False(PropertyBlock.TryRead([.. Length(length), .. Length(kinds), 255, 255, 255, 255, 255, 255, 255, 255], out _));

    private static byte[] Length(int length)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, length);
        return bytes;
    }

    private static byte[] Write(MessageProperties properties)
    {
        var packer = new PropertyPacker(MessageStamps.None, HandleClock.OfSystem);
        byte[] block = new byte[packer.SizeOf(properties)];
        Array.Fill(block, (byte)0xEE);
        if (block.Length > 0)
        {
            packer.Write(block, properties);
        }
        return block;
    }

    private static void Fill(MessageProperties into, MessageProperties written)
    {
        byte[] block = Write(written);
        if (block.Length == 0)
        {
            Assert.True(written.IsEmpty);
            into.Clear();
            return;
        }
        Assert.True(PropertyBlock.TryRead([.. block, 1, 2, 3], out PropertyBlock read));
        Assert.Equal(block.Length, read.Length);
        Assert.True(into.TryFill(read));
    }

    private static MessageProperties Random(int seed)
    {
        var random = new Random(seed);
        var properties = new MessageProperties
        {
            MessageId = Text(random, mayLack: true),
            Producer = Text(random, mayLack: true),
            CorrelationId = Text(random, mayLack: true),
            ReplyTo = Text(random, mayLack: true),
            Label = Text(random, mayLack: true),
        };
        for (int headers = random.Next(3) == 0 ? random.Next(6) : 0; headers > 0; headers--)
        {
            properties.Headers[Text(random, mayLack: false)!] = Text(random, mayLack: false)!;
        }
        return properties;
    }

    private static string? Text(Random random, bool mayLack)
    {
        if (mayLack && random.Next(3) == 0)
        {
            return null;
        }
        var text = new StringBuilder();
        for (int length = random.Next(10) == 0 ? random.Next(400) : random.Next(12); length > 0; length--)
        {
            int scalar = random.Next(4) == 0 ? random.Next(0x11_0000) : random.Next(128);
            text.Append(Rune.IsValid(scalar) ? new Rune(scalar) : Rune.ReplacementChar);
        }
        return text.ToString();
    }
}
