using System.Diagnostics;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A test that needs the broker and a network of its own; skipped, and counted as that, where one is not there.</summary>
public sealed class NetworkFactAttribute : FactAttribute
{
    public NetworkFactAttribute() =>
        Skip = Broker.Program is null ? "rabbitmq-server is not there: tests/RabbitMq.Tests/install.sh installs it"
            : !OperatingSystem.IsLinux() || !CanMake() ? "this user cannot make a network, or ip (iproute2) is not there" : null;

    private static bool CanMake()
    {
        try
        {
            const string Try = "ip link add name near type veth peer name far && test -w /run";
            var start = new ProcessStartInfo("unshare", ["--net", "sh", "-c", Try]) { RedirectStandardError = true };
            using Process process = Process.Start(start)!;
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
