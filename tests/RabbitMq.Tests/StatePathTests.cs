using System.Diagnostics;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>Where the file of a forwarder's state is, as the caller says.</summary>
public sealed class StatePathTests(Broker broker) : BridgeFixture(broker)
{
    /// <summary>The usual file is the lock of all, and this is the usual file.</summary>
    [BrokerFact]
    public async Task The_usual_path_by_a_link_is_the_usual_one()
    {
        Directory.CreateSymbolicLink(FileOf("link"), Path.GetDirectoryName(Outbox.Path)!);
        ForwarderOptions options = ForwarderOptions;
        options.StatePath = Path.Combine(FileOf("link"), $"{Path.GetFileName(Outbox.Path)}.default.forward");
        Send(0, 3);
        Run(ReceiverOptions);
        Run(options);
        await TakeAllInOrderAsync(3);
    }

    /// <summary>Also where it is a link itself.</summary>
    [BrokerFact]
    public async Task The_usual_path_that_is_a_link_is_the_usual_one()
    {
        string usual = $"{Outbox.Path}.default.forward";
        File.CreateSymbolicLink(usual, FileOf("elsewhere"));
        await File.WriteAllBytesAsync(FileOf("elsewhere"), []);
        ForwarderOptions options = ForwarderOptions;
        options.StatePath = usual;
        Send(0, 3);
        Run(ReceiverOptions);
        Run(options);
        await TakeAllInOrderAsync(3);
    }

    [BrokerFact]
    public async Task A_second_name_of_the_usual_file_is_told()
    {
        string usual = $"{Outbox.Path}.default.forward";
        await File.WriteAllBytesAsync(usual, []);
        using (var link = Process.Start("ln", [usual, FileOf("other")]))
        {
            await link.WaitForExitAsync();
        }
        ForwarderOptions options = ForwarderOptions;
        options.StatePath = FileOf("other");
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, BridgeProblem.InUse);
        Assert.Contains("a second name of", forwarder.GetState().LastError, StringComparison.Ordinal);
    }

    [MountFact]
    public async Task A_disk_that_is_only_read_is_no_other_forwarder()
    {
        using var disk = new SmallDisk(FileOf("disk"), "1m");
        using (var remount = Process.Start("mount", ["-o", "remount,ro", disk.Path]))
        {
            await remount.WaitForExitAsync();
        }
        ForwarderOptions options = ForwarderOptions;
        options.StatePath = disk["state"];
        var forwarder = new Forwarder<Parcel>(Outbox, options);
        IOException refusal = await Assert.ThrowsAsync<IOException>(() => forwarder.RunAsync().WaitAsync(Patience));
        Assert.Contains(options.StatePath, refusal.Message, StringComparison.Ordinal);
    }
}
