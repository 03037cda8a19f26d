using System.Collections.Concurrent;
using System.Diagnostics;

namespace BlitQueue.Cli.Serving;

/// <summary>
/// Changes queues by the commands of this tool, one after the other, each in a process of its own, because a process opens queues of one
/// type. They run at the priority of the thread that made this object, because a process that holds a lock must not give way to all others.
/// </summary>
internal sealed class Changes : IDisposable
{
    private readonly BlockingCollection<(string[] Command, TaskCompletionSource<(int Code, string Text)> Done)> _due = [];

    public Changes() => new Thread(Work) { IsBackground = true, Name = "changes" }.Start();

    /// <summary>Runs a command.</summary>
    /// <returns>Its exit code, and what it said.</returns>
    public Task<(int Code, string Text)> RunAsync(string[] command)
    {
        var done = new TaskCompletionSource<(int Code, string Text)>(TaskCreationOptions.RunContinuationsAsynchronously);
        _due.Add((command, done));
        return done.Task;
    }

    private void Work()
    {
        foreach ((string[] command, TaskCompletionSource<(int Code, string Text)> done) in _due.GetConsumingEnumerable())
        {
            try
            {
                done.SetResult(Run(command));
            }
            catch (Exception exception)
            {
                done.SetException(exception);
            }
        }
    }

    private static (int Code, string Text) Run(string[] command)
    {
        string self = Environment.ProcessPath ?? "blitq";
        bool isHost = Path.GetFileNameWithoutExtension(self) == "dotnet";
        var start = new ProcessStartInfo(self, isHost ? [typeof(Changes).Assembly.Location, .. command] : command)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        process.StandardInput.Close();
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, (output + error.Result).Trim());
    }

    public void Dispose() => _due.CompleteAdding();
}
