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
        AssertZero(file, 2 * LargePage);
        using var region = new MappedRegion(file, 2 * LargePage);
        region.Word(2 * LargePage - 8) = 7;
        byte[] last = new byte[8];
        RandomAccess.Read(file, last, 2 * LargePage - 8);
        Assert.Equal(7, BitConverter.ToInt64(last));
    }

    // The kernel gives large pages slowly while it must get the memory from a host. The last page of a file counts as the others.
    [Theory]
    [InlineData(1), InlineData(2)]
    public void Slow_large_pages_are_left_out_for_more_and_more_files(int pages)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }
        var platform = new SlowLargePages(slowPage: pages - 1);
        List<int> asked = [];
        for (int number = 0; number < 16; number++)
        {
            int before = platform.Asked;
            using SafeFileHandle file = Make($"slow-{number}");
            platform.PreallocateInMemory(file, pages * LargePage);
            if (platform.Asked > before)
            {
                asked.Add(number);
            }
            AssertZero(file, pages * LargePage);
            File.Delete(Path.Combine(_site.Root, $"slow-{number}"));
        }
        // One file does without, then three, then seven.
        Assert.Equal([0, 2, 6, 14], asked);
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

    private static void AssertZero(SafeFileHandle file, int size)
    {
        Assert.Equal(size, RandomAccess.GetLength(file));
        using var region = new MappedRegion(file, size);
        Assert.Equal(-1, region.Bytes(0, size).IndexOfAnyExcept((byte)0));
    }

    private SafeFileHandle Make(string name) =>
        File.OpenHandle(Path.Combine(_site.Root, name), FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite);

    public void Dispose() => _site.Dispose();

    /// <summary>A system on which one large page of each file takes far longer than the rest of the file does in small ones.</summary>
    private sealed class SlowLargePages(int slowPage) : LinuxPlatform
    {
        public int Asked { get; private set; }

        protected override bool TryCollapse(SafeFileHandle file, FileView view, long offset)
        {
            Asked++;
            if (offset == (long)slowPage * LargePage)
            {
                Thread.Sleep(300);
            }
            return base.TryCollapse(file, view, offset);
        }
    }
}
