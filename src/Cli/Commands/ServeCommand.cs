using System.Net;
using System.Runtime.InteropServices;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Serving;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq serve</c>: the queues below a directory in a browser, live.</summary>
internal static class ServeCommand
{
    private const double ShortestPause = 0.1;

    public static Command Make()
    {
        var root = new Argument<string>("directory") { Description = "Where to look.", DefaultValueFactory = static _ => "." };
        var port = new Option<int>("--port") { Description = "The port of 127.0.0.1 to listen at; 0 for any that is free." };
        var every = new Option<double>("--every") { Description = "Seconds between two looks.", DefaultValueFactory = static _ => 1 };
        var writes = new Option<bool>("--allow-write") { Description = "Let the page retry and drop dead letters, and purge queues." };
        return Shared.Command("serve", "Show the queues below a directory in a browser, live.", [root, port, every, writes], result =>
            Run(
                Path.GetFullPath(result.GetValue(root)!), result.GetValue(port), result.GetValue(every), result.GetValue(writes)));
    }

    private static int Run(string root, int port, double every, bool writes)
    {
        if (port is < IPEndPoint.MinPort or > IPEndPoint.MaxPort)
        {
            throw new UsageException(string.Create(CultureInfo.InvariantCulture, $"{port} is no port."));
        }
        TimeSpan pause = Shared.Seconds(every);
        if (every < ShortestPause)
        {
            throw new UsageException(string.Create(CultureInfo.InvariantCulture, $"--every is at least {ShortestPause} seconds."));
        }
        // Reports what is wrong with the directory, as ls does, before a page is opened.
        MappedQueue.List(root);
        using var stop = new CancellationTokenSource();
        using PosixSignalRegistration interrupted = Interruption.Stop(PosixSignal.SIGINT, stop);
        using PosixSignalRegistration ended = Interruption.Stop(PosixSignal.SIGTERM, stop);
        using var sampler = new Sampler(root, pause, writes);
        using var server = Server.Start(port, root, sampler, writes);
        Terminal.Line(server.Url);
        Terminal.Flush();
        // The sampler runs on this thread.
        Courtesy.GiveWay();
        sampler.Run(stop.Token);
        return ExitCode.Fine;
    }
}
