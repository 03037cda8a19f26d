using System.Diagnostics;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A test that needs the broker and a file system of its own; skipped, and counted as that, where one is not there.</summary>
public sealed class MountFactAttribute : FactAttribute
{
    public MountFactAttribute() =>
        Skip = Broker.Program is null ? "rabbitmq-server is not there: tests/RabbitMq.Tests/install.sh installs it"
            : !OperatingSystem.IsLinux() || !CanMount() ? "this user cannot mount" : null;

    private static bool CanMount()
    {
        using Process process = Process.Start(
            new ProcessStartInfo("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]) { RedirectStandardError = true })!;
        process.WaitForExit();
        return process.ExitCode == 0;
    }
}
