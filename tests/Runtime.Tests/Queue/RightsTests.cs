using System.Diagnostics;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A queue's files have the rights that it was made with, whoever makes them later.</summary>
[System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
public sealed class RightsTests : QueueFixture
{
    private const UnixFileMode Group = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite;
    private const string OtherGroup = "54321";

    private static readonly QueueOptions Shared = new() { SegmentSize = 1 << 16, FileMode = Group };

    [Fact]
    public void What_is_made_later_has_the_rights_of_the_queue()
    {
        using (Open(Shared))
        {
        }
        UseAll(new QueueOptions());
        AssertRights(Site.Queue);
    }

    [Fact]
    public void What_is_made_later_is_the_queues_group_s()
    {
        if (Environment.UserName != "root")
        {
            return;
        }
        using (Open(Shared))
        {
        }
        Run("chgrp", "-R", OtherGroup, Site.Queue);
        UseAll(new QueueOptions());
        Assert.All(Everything(Site.Queue), static path => Assert.Equal(OtherGroup, Run("stat", "-c", "%g", path).Trim()));
    }

    [Fact]
    public void A_queue_that_is_made_in_a_store_has_the_stores_rights()
    {
        string store = Path.Combine(Site.Root, "store");
        using (MappedStore.Open(store, Shared))
        {
        }
        using (var opened = MappedStore.Open(store))
        {
            using MappedQueue<Note> queue = opened.OpenQueue<Note>("queue");
            queue.Enqueue(Of(1));
        }
        AssertRights(store);
    }

    [Fact]
    public void Other_rights_than_the_queues_are_refused()
    {
        using (Open(Shared))
        {
        }
        var others = new QueueOptions { FileMode = Group | UnixFileMode.OtherRead };
        string message = Assert.Throws<ArgumentException>(() => Open(others)).Message;
        Assert.Contains("FileMode", message, StringComparison.Ordinal);
        Assert.Contains("queue.meta", message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_others_make_in_the_directory_is_the_groups()
    {
        using (Open(Shared))
        {
        }
        Assert.True(File.GetUnixFileMode(Site.Queue).HasFlag(UnixFileMode.SetGroup));
    }

    private void UseAll(QueueOptions options)
    {
        using MappedQueue<Note> queue = Open(options);
        using Subscription<Note> subscription = queue.Subscribe("audit", new SubscriptionOptions { MaxAttempts = 1 });
        for (int id = 0; SegmentFiles().Length < 3; id++)
        {
            queue.Enqueue(Of(id, 1000));
        }
        using (Lease<Note> lease = subscription.Receive())
        {
            lease.Abandon();
        }
        subscription.TryReceive(out _);
    }

    private static void AssertRights(string directory) => Assert.All(Everything(directory), static path => Assert.Equal(
        (path, Group), (path, File.GetUnixFileMode(path) & ~(UnixFileMode.SetGroup | UnixFileMode.UserExecute
            | UnixFileMode.GroupExecute))));

    private static IEnumerable<string> Everything(string directory)
        => Directory.EnumerateFileSystemEntries(directory, "*", SearchOption.AllDirectories);

    private static string Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
        return output;
    }
}
