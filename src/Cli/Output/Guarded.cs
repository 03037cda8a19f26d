namespace BlitQueue.Cli.Output;

/// <summary>Runs commands: an exception becomes one line and an exit code.</summary>
internal static class Guarded
{
    private const int BrokenPipe = 32;

    // Texts at which advice begins that only a program can follow.
    private static readonly string[] Advice =
    [
        " SkipCorrupt()", " MappedQueue.", " Call MappedQueue.", " A reader makes none", " Make the queue with", " Dispose ", " Seek(",
        " Nothing was enqueued. Of a file", ", or delete it (DeleteSubscription)",
    ];

    /// <summary>Runs a command to its exit code.</summary>
    public static int Run(Func<int> command)
    {
        try
        {
            int code = command();
            Terminal.Flush();
            return code;
        }
        catch (IOException exception) when (IsBrokenPipe(exception))
        {
            // The reading process has closed the pipe: it has what it wanted.
            return ExitCode.Fine;
        }
        catch (Exception exception) when (CodeOf(exception) is { } code)
        {
            return Complain(exception, code);
        }
    }

    private static int Complain(Exception exception, int code)
    {
        try
        {
            Terminal.Flush();
        }
        catch (IOException)
        {
        }
        Terminal.Complain(TextOf(exception));
        return code;
    }

    /// <summary>The exit code for an exception; null for one that no command expects.</summary>
    public static int? CodeOf(Exception exception) => exception switch
    {
        QueueException queue => ExitCode.Of(queue),
        UsageException or ArgumentException => ExitCode.Usage,
        JsonFaultException => ExitCode.Input,
        PackedFaultException or FormatException or InvalidDataException => ExitCode.Damaged,
        UnauthorizedAccessException => ExitCode.Refused,
        OperationCanceledException => ExitCode.Interrupted,
        IOException => ExitCode.Failed,
        _ => null,
    };

    /// <summary>What an exception says, for people at a shell.</summary>
    public static string TextOf(Exception exception)
    {
        string text = ForShell(exception.Message);
        return exception is QueueCorruptException damage ? $"{text.TrimEnd()} {RemedyOf(damage)}"
            : exception is QueueException { Reason: QueueError.NotFound, Path: { } path } && Below(path) is { Length: > 0 } queues
            ? $"{text.TrimEnd()} There are queues below it: {string.Join(", ", queues)}."
            : text;
    }

    private static string RemedyOf(QueueCorruptException damage)
    {
        const string Remedy = "blitq verify says what is damaged, blitq repair goes on with what is whole.";
        return damage.HoleEnd is { } end
            ? $"{Remedy} To read on behind it: --skip-damage of tail and export, and for a subscription blitq seek --to {end}."
            : Remedy;
    }

    // The library's texts name methods to call, which does not help at a shell.
    private static string ForShell(string text)
    {
        text = text.Replace(
            "Dispose every handle to it, or end the processes that have it open,",
            "End the processes that have it open (blitq inspect names them)", StringComparison.Ordinal);
        int[] begins = [.. Advice.Select(advice => text.IndexOf(advice, StringComparison.Ordinal)).Where(static at => at > 0)];
        text = begins.Length > 0 ? $"{text[..begins.Min()].TrimEnd('.')}." : text;
        return text.Replace("StallTimeout", "--wait", StringComparison.Ordinal);
    }

    // For users who give the directory of a store or of lanes.
    private static string[] Below(string path)
    {
        try
        {
            return [.. MappedQueue.List(path).Take(3).Select(queue => Path.GetRelativePath(path, queue))];
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static bool IsBrokenPipe(IOException exception) => (exception.HResult & 0xFFFF) == BrokenPipe;
}
