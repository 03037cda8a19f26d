using System.Diagnostics;
using System.Globalization;
using System.Net;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>
/// A machine of its own for processes, as the kernel has it (a network namespace), and the cable to it (a pair of interfaces). A cable that
/// is pulled tells neither end's programs anything. What is on this side of it leads to the broker.
/// </summary>
internal sealed class Cable : IDisposable
{
    private readonly string _name = $"bq{System.Environment.ProcessId.ToString(CultureInfo.InvariantCulture)}";
    private readonly Line _line;

    public Cable(int port)
    {
        string net = $"10.213.{System.Environment.ProcessId % 250}";
        Run("netns", "add", _name);
        Run("link", "add", "name", Here, "type", "veth", "peer", "name", "far", "netns", _name);
        Run("address", "add", $"{net}.1/30", "dev", Here);
        Run("link", "set", Here, "up");
        Run("-n", _name, "address", "add", $"{net}.2/30", "dev", "far");
        Run("-n", _name, "link", "set", "far", "up");
        _line = new Line(IPAddress.Parse($"{net}.1"), port);
    }

    /// <summary>The broker, as the machine sees it.</summary>
    public string Host => _line.Host;

    private string Here => $"{_name}h";

    /// <summary>The program, to be started on the machine.</summary>
    public ProcessStartInfo On(string program, IEnumerable<string> arguments) =>
        new("ip", ["netns", "exec", _name, program, .. arguments]);

    public void Pull() => Run("link", "set", Here, "down");

    public void Plug() => Run("link", "set", Here, "up");

    public void Dispose()
    {
        _line.Dispose();
        Run("link", "delete", Here);
        Run("netns", "delete", _name);
    }

    private static void Run(params string[] arguments)
    {
        using var process = Process.Start("ip", arguments);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
    }
}
