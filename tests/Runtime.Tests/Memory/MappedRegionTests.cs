using BlitQueue.Memory;
using BlitQueue.Platform;
using BlitQueue.Tests.Processes;
using Microsoft.Win32.SafeHandles;
using Xunit;

namespace BlitQueue.Tests.Memory;

public sealed class MappedRegionTests : IDisposable
{
    private const int LargePage = 2 << 20;

    private readonly Site _site = new(inMemory: true);

    // Without it no page of the mapping is a large one, whatever the file has.
    [Theory]
    [InlineData(LargePage), InlineData(3 * LargePage)]
    public void A_mapping_that_could_have_large_pages_begins_where_one_does(int length)
    {
        for (int number = 0; number < 3; number++)
        {
            using SafeFileHandle file = Make($"file-{number}");
            CurrentPlatform.Instance.Preallocate(file, length);
            using var region = new MappedRegion(file, length);
            Assert.Equal(0, region.AddressOf(0) % LargePage);
        }
    }

    [Fact]
    public void What_may_be_in_large_pages_has_its_size_and_is_zero()
    {
        using SafeFileHandle file = Make("large");
        CurrentPlatform.Instance.PreallocateInMemory(file, 2 * LargePage);
        Assert.Equal(2 * LargePage, RandomAccess.GetLength(file));
        using var region = new MappedRegion(file, 2 * LargePage);
        Assert.Equal(-1, region.Bytes(0, 2 * LargePage).IndexOfAnyExcept((byte)0));
        region.Word(2 * LargePage - 8) = 7;
        byte[] last = new byte[8];
        RandomAccess.Read(file, last, 2 * LargePage - 8);
        Assert.Equal(7, BitConverter.ToInt64(last));
    }

    [Fact]
    public void A_mapping_is_gone_once_it_is_disposed_and_nothing_of_its_surroundings_stays()
    {
        string path = Path.Combine(_site.Root, "gone");
        using SafeFileHandle file = Make("gone");
        CurrentPlatform.Instance.Preallocate(file, LargePage);
        var region = new MappedRegion(file, LargePage);
        Assert.True(!OperatingSystem.IsLinux() || OwnProcess.Mappings(path).Length == 1);
        region.Dispose();
        region.Dispose();
        Assert.Empty(OwnProcess.Mappings(path));
    }

    private SafeFileHandle Make(string name) =>
        File.OpenHandle(Path.Combine(_site.Root, name), FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite);

    public void Dispose() => _site.Dispose();
}
