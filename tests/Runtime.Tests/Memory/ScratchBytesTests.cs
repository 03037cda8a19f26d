using System.Globalization;
using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Memory;

public sealed class ScratchBytesTests
{
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    [Fact]
    public void Few_bytes_are_an_array_of_the_pool()
    {
        using var bytes = ScratchBytes.Rent(ScratchBytes.LargestPooled);
        Assert.False(bytes.Grows);
        Assert.False(bytes.TryGrow(bytes.Length + 1));
        Assert.True(bytes.TryGrow(10));
    }

    [Fact]
    public void Many_bytes_grow_where_they_are()
    {
        using var bytes = ScratchBytes.Rent(ScratchBytes.LargestPooled + 1);
        Span<byte> before = bytes.GetSpan();
        before[^1] = 7;
        Assert.True(bytes.TryGrow(300 << 20));
        before[0] = 8;
        Span<byte> after = bytes.GetSpan();
        Assert.Equal((8, 7, 300 << 20), (after[0], after[before.Length - 1], after.Length));
        after[^1] = 9;
    }

    // Other tests of this process may use it meanwhile, and keep it longer.
    [Fact]
    public async Task The_system_has_the_memory_back_after_a_while()
    {
        string start = UseAndGiveBack();
        DateTime given = DateTime.UtcNow;
        while (OwnProcess.Mappings(start).Length > 0)
        {
            Assert.True(DateTime.UtcNow - given < Longest, $"the memory at {start} is still there");
            await Task.Delay(500);
        }
    }

    private static string UseAndGiveBack()
    {
        using var bytes = ScratchBytes.Rent(50 << 20);
        bytes.GetSpan().Fill(1);
        nint address = Unsafe.ByteOffset(ref Unsafe.NullRef<byte>(), ref bytes.GetSpan()[0]);
        return address.ToString("x", CultureInfo.InvariantCulture) + "-";
    }
}
