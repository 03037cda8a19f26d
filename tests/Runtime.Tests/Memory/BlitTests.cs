using BlitQueue.Memory;

namespace BlitQueue.Tests.Memory;

public sealed class BlitTests
{
    [Theory]
    [InlineData(-1)]
    [InlineData(-8)]
    [InlineData(1)]
    [InlineData(8)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    public void Nothing_outside_is_touched(int offset)
    {
        byte[] around = new byte[24];
        Span<byte> room = around.AsSpan(8, 8);
        Assert.False(Blit.TryWrite(room, offset, -1L));
        Assert.False(Blit.TryRead(room, offset, out long _));
        Assert.False(Blit.TryClaim(room, offset, uint.MaxValue, 4, out _));
        Assert.False(Blit.TrySlice(room, offset, 8, out _));
        Assert.All(around, value => Assert.Equal(0, value));
    }

    [Fact]
    public void A_claim_contains_exactly_what_fits()
    {
        byte[] room = new byte[8];
        Assert.True(Blit.TryClaim(room, 0, 7, 4, out Span<byte> block));
        Assert.Equal(4, block.Length);
        Assert.True(Blit.TryClaim(room, 4, 7, 0, out block));
        Assert.True(block.IsEmpty);
        Assert.False(Blit.TryClaim(room, 0, 7, 5, out _));
        Assert.False(Blit.TryClaim(room, 0, 7, -1, out _));
        Assert.False(Blit.TryClaim(room, 0, 7, int.MaxValue, out _));
        Assert.False(Blit.TryClaim(default, 0, 7, 0, out _));
    }

    [Fact]
    public void A_slice_cannot_leave_its_source()
    {
        ReadOnlySpan<byte> source = [1, 2, 3, 4];
        Assert.True(Blit.TrySlice(source, 4, 0, out _));
        Assert.True(Blit.TrySlice(source, 1, 3, out ReadOnlySpan<byte> slice));
        Assert.Equal([2, 3, 4], slice.ToArray());
        Assert.False(Blit.TrySlice(source, 1, 4, out _));
        Assert.False(Blit.TrySlice(source, 0, uint.MaxValue, out _));
        Assert.False(Blit.TrySlice(source, 3, 0xFFFFFFFE, out _));
    }
}
