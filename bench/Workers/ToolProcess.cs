using System.Diagnostics;
using System.Net.Http.Headers;
using System.Reflection;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Workers;

/// <summary>The command line tool, which looks at a queue that is being measured until this is disposed.</summary>
internal sealed class ToolProcess : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30), Pause = TimeSpan.FromMilliseconds(5);

    private readonly Process _process;
    private HttpClient? _browser;
    private Task _page = Task.CompletedTask;

    private ToolProcess(ProcessStartInfo start)
    {
        _process = Process.Start(start)!;
        ScratchDirectory.Ending += Kill;
    }

    /// <summary>The executable that was built beside this program; null where there is none.</summary>
    public static string? Program { get; } = typeof(ToolProcess).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Where(static one => one.Key == "ToolPath").Select(static one => one.Value).FirstOrDefault(File.Exists);

    /// <summary>Starts a command on a queue, whose output goes nowhere; returns when it has the queue mapped.</summary>
    public static ToolProcess Look(string path, string command, params string[] options)
    {
        var tool = new ToolProcess(
            new ProcessStartInfo("/bin/sh", ["-c", "exec \"$0\" \"$@\" > /dev/null", Program!, command, path, .. options]));
        tool.AwaitMapped(path);
        return tool;
    }

    /// <summary>Starts the live page, and a reader of it that asks for the queue's messages; returns when it has got the queues.</summary>
    public static ToolProcess Serve(string path)
    {
        var tool = new ToolProcess(
            new ProcessStartInfo(Program!, ["serve", path, "--every", "0.1"]) { RedirectStandardOutput = true });
        var address = new Uri(tool._process.StandardOutput.ReadLine()!);
        tool._browser = new HttpClient
        {
            BaseAddress = new Uri(address.GetLeftPart(UriPartial.Authority)),
            Timeout = Timeout.InfiniteTimeSpan,
        };
        tool._browser.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", address.Fragment[1..]);
        var shown = new ManualResetEventSlim();
        tool._page = Task.Run(() => tool.ReadPageAsync($"/events?queue={Uri.EscapeDataString(path)}", shown));
        return shown.Wait(Patience) ? tool : throw new TimeoutException("The page has not shown the queue.");
    }

    private async Task ReadPageAsync(string events, ManualResetEventSlim shown)
    {
        try
        {
            using var reader = new StreamReader(await _browser!.GetStreamAsync(events));
            while (await reader.ReadLineAsync() is { } line)
            {
                if (line == "event: sample")
                {
                    shown.Set();
                }
            }
        }
        catch (Exception exception) when (exception is IOException or HttpRequestException or OperationCanceledException)
        {
            // The tool was ended; or it refuses, and then the page is not shown.
        }
    }

    private void AwaitMapped(string path)
    {
        long began = Stopwatch.GetTimestamp();
        while (_process.HasExited || !File.ReadAllText($"/proc/{_process.Id}/maps").Contains($"{path}/", StringComparison.Ordinal))
        {
            if (_process.HasExited || Stopwatch.GetElapsedTime(began) > Patience)
            {
                throw new InvalidOperationException($"{Program} does not look at {path}.");
            }
            Thread.Sleep(Pause);
        }
    }

    private void Kill()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
        }
    }

    public void Dispose()
    {
        ScratchDirectory.Ending -= Kill;
        Kill();
        _process.WaitForExit();
        _page.Wait();
        _browser?.Dispose();
        _process.Dispose();
    }
}
