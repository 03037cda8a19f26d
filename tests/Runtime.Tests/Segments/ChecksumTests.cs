using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Segments;

public sealed class ChecksumTests
{
    private const ulong Salt = 0x0123_4567_89AB_CDEF;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(15)]
    [InlineData(16)]
    [InlineData(31)]
    [InlineData(32)]
    [InlineData(33)]
    [InlineData(100)]
    [InlineData(1000)]
    public void Every_flipped_bit_changes_the_check(int length)
    {
        byte[] payload = RandomBytes(length);
        uint check = RecordCheck.Compute(Salt, 4096, RecordKind.Data, payload);

        for (int bit = 0; bit < length * 8; bit++)
        {
            payload[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.NotEqual(check, RecordCheck.Compute(Salt, 4096, RecordKind.Data, payload));
            payload[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Fact]
    public void Zeroed_stretches_change_the_check()
    {
        byte[] payload = RandomBytes(512);
        uint check = RecordCheck.Compute(Salt, 4096, RecordKind.Data, payload);

        for (int start = 0; start < 512; start += 8)
        {
            for (int length = 8; start + length <= 512; length *= 2)
            {
                byte[] torn = [.. payload];
                torn.AsSpan(start, length).Clear();
                Assert.NotEqual(check, RecordCheck.Compute(Salt, 4096, RecordKind.Data, torn));
            }
        }
    }

    [Fact]
    public void Swapped_words_change_the_check()
    {
        byte[] payload = RandomBytes(128);
        uint check = RecordCheck.Compute(Salt, 4096, RecordKind.Data, payload);

        for (int first = 0; first < 128; first += 8)
        {
            for (int second = first + 8; second < 128; second += 8)
            {
                byte[] swapped = [.. payload];
                payload.AsSpan(first, 8).CopyTo(swapped.AsSpan(second));
                payload.AsSpan(second, 8).CopyTo(swapped.AsSpan(first));
                Assert.NotEqual(check, RecordCheck.Compute(Salt, 4096, RecordKind.Data, swapped));
            }
        }
    }

    [Fact]
    public void Position_kind_length_and_queue_are_part_of_the_check()
    {
        uint[] checks =
        [
            RecordCheck.Stamp(Salt, 4096, RecordKind.Data, 8),
            RecordCheck.Stamp(Salt, 4104, RecordKind.Data, 8),
            RecordCheck.Stamp(Salt, 4096, RecordKind.BatchData, 8),
            RecordCheck.Stamp(Salt, 4096, RecordKind.Data, 9),
            RecordCheck.Stamp(Salt + 1, 4096, RecordKind.Data, 8),
        ];

        Assert.Equal(checks.Length, checks.Distinct().Count());
    }

    [Fact]
    public void Checks_of_like_payloads_collide_no_more_often_than_chance()
    {
        var seen = new HashSet<uint>();
        byte[] payload = new byte[24];
        const int count = 200_000;
        for (int i = 0; i < count; i++)
        {
            BitConverter.TryWriteBytes(payload, i);
            seen.Add(RecordCheck.Compute(Salt, 4096 + (32L * i), RecordKind.Data, payload));
        }

        // 32 bits and 200,000 values: 4.7 collisions are expected; 30 have a chance of less than one in a billion.
        Assert.True(seen.Count > count - 30, $"{count - seen.Count} collisions");
    }

    private static byte[] RandomBytes(int length)
    {
        byte[] bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        return bytes;
    }
}
