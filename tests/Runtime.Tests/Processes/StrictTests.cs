using BlitQueue.Log;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// What Windows refuses and Wine does not, refused on Linux: the library works under these rules, and the rules find the mistakes that they
/// are against.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class StrictTests : IDisposable
{
    private readonly Site _site = new();

    [Fact]
    public void A_queue_is_made_written_and_read_by_the_rules()
    {
        using (var peer = Peer.StartStrict(_site, "1", "produce", "count=10"))
        {
            Assert.Equal(0, peer.WaitForExit());
        }
        using var reader = Peer.StartStrict(_site, "1", "read");
        Assert.Equal(0, reader.WaitForExit());
        Assert.Contains("read 10", reader.Output);
    }

    [Fact]
    public void Locks_within_the_data_are_found()
    {
        using var opening = Peer.StartStrictToStop(_site, StrictPlatform.WrongLocks, ProtocolStep.StoreControlMade, "produce");
        opening.WaitForStop();
        using var peer = Peer.StartStrict(_site, StrictPlatform.WrongLocks, "produce", "count=10");
        Assert.Equal(3, peer.WaitForExit());
        Assert.Contains("a locked byte is within the file", peer.Said);
        Assert.Contains("a locked byte is within the file", File.ReadAllText(StrictPlatform.RefusalsOf(_site.Root)));
    }

    [Fact]
    public void A_mapped_file_is_set_aside_and_deleted_later()
    {
        var platform = new StrictPlatform();
        string path = Path.Combine(_site.Root, "mapped"), aside = Path.Combine(_site.Root, "aside");
        using (Mapped(platform, path))
        {
            Assert.False(platform.Delete(path, aside));
            Assert.True(!File.Exists(path) && File.Exists(aside));
        }
        Assert.True(platform.Delete(aside, path));
        Assert.False(File.Exists(aside));
    }

    [Fact]
    public void A_deletion_of_a_mapped_file_is_found()
    {
        string path = Path.Combine(_site.Root, "mapped"), aside = Path.Combine(_site.Root, "aside");
        var wrong = new StrictPlatform(setsAside: false);
        using FileView view = Mapped(wrong, path);
        Assert.Contains("deleted", Assert.Throws<UnauthorizedAccessException>(() => wrong.Delete(path, aside)).Message);
        Assert.Throws<UnauthorizedAccessException>(() => wrong.Delete(path));
    }

    // The producer has mapped what the consumer deletes. The library survives the refusal, and files would pile up.
    [Theory]
    [InlineData("1", false)]
    [InlineData(StrictPlatform.WrongDeletions, true)]
    public void Segments_are_deleted_by_the_rules_and_a_deletion_while_they_are_mapped_is_found(string mode, bool isWrong)
    {
        using var producer = Peer.StartStrictToStop(_site, mode, ProtocolStep.RollTailMoved, "produce", time: 3, "segment=65536");
        producer.WaitForStop();
        using (var consumer = Peer.StartStrict(_site, mode, "consume"))
        {
            consumer.WaitFor("ready").Finish();
        }
        string refusals = StrictPlatform.RefusalsOf(_site.Root);
        Assert.Equal(isWrong, File.Exists(refusals) && File.ReadAllText(refusals).Contains("be deleted", StringComparison.Ordinal));
    }

    [Fact]
    public void A_replacement_of_a_mapped_file_is_found()
    {
        var platform = new StrictPlatform();
        string path = Path.Combine(_site.Root, "mapped"), other = Path.Combine(_site.Root, "other");
        File.WriteAllText(other, "");
        using FileView view = Mapped(platform, path);
        Assert.Contains("replaced", Assert.Throws<UnauthorizedAccessException>(() => platform.Replace(other, path)).Message);
    }

    // Another process has it mapped.
    [Fact]
    public void A_file_that_another_process_has_mapped_is_not_deleted()
    {
        using var peer = Peer.StartStrict(_site, "1", "audit");
        peer.WaitFor("ready");
        var wrong = new StrictPlatform(setsAside: false);
        Assert.Throws<UnauthorizedAccessException>(() => wrong.Delete(_site.File(StoreFormat.ControlName)));
        peer.Kill();
        peer.WaitForExit();
        Assert.True(wrong.Delete(_site.File(StoreFormat.ControlName)));
    }

    [Fact]
    public void A_directory_in_which_a_file_is_open_gets_no_other_name()
    {
        var platform = new StrictPlatform();
        string path = Path.Combine(_site.Root, "directory"), other = Path.Combine(_site.Root, "other");
        Directory.CreateDirectory(path);
        using (File.Create(Path.Combine(path, "file")))
        {
            Assert.Contains("is open", Assert.Throws<UnauthorizedAccessException>(() => platform.TryName(path, other)).Message);
        }
        Assert.True(platform.TryName(path, other));
    }

    [Fact]
    public void A_backup_is_made_by_the_rules()
    {
        string target = Path.Combine(_site.Root, "copy");
        MappedQueue<Parcel>.Open(_site.Queue).Dispose();
        using var peer = Peer.StartStrict(_site, "1", "backup", $"target={target}");
        Assert.True(peer.WaitForExit() == 0, peer.Said);
        Assert.Equal(_site.Files().Order(), Directory.EnumerateFiles(target).Select(Path.GetFileName).Order());
    }

    private static FileView Mapped(StrictPlatform platform, string path)
    {
        using SafeFileHandle file = platform.OpenFile(path, FileMode.CreateNew, FileAccess.ReadWrite, FileRights.OwnerAlone);
        RandomAccess.SetLength(file, 65536);
        return platform.Map(file, 65536, isWritten: true);
    }

    public void Dispose() => _site.Dispose();
}
