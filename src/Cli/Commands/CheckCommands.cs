using BlitQueue.Cli.Output;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq verify</c> and <c>blitq repair</c>.</summary>
internal static class CheckCommands
{
    public static Command MakeVerify()
    {
        Argument<string> path = Directory();
        Option<bool> json = Shared.Json();
        return Shared.Command("verify", "Read every file and compare every check; changes nothing.", [path, json], result =>
        {
            VerifyReport report = Verify(result.GetValue(path)!);
            Print(report, result.GetValue(json));
            return report.IsSound ? ExitCode.Fine : ExitCode.Damaged;
        });
    }

    public static Command MakeRepair()
    {
        Argument<string> path = Directory();
        var dry = new Option<bool>("--dry-run") { Description = "Only say what is damaged." };
        Option<bool> json = Shared.Json();
        return Shared.Command("repair", "Make a damaged queue one that can be opened; deletes nothing.", [path, dry, json], result =>
            result.GetValue(dry)
                ? DryRun(result.GetValue(path)!, result.GetValue(json))
                : Repair(result.GetValue(path)!, result.GetValue(json)));
    }

    private static Argument<string> Directory()
    {
        Argument<string> path = Shared.Queue();
        path.Description = "The directory of a queue, or of a store or lanes: then all queues in it.";
        return path;
    }

    private static VerifyReport Verify(string path)
    {
        RefuseOthers(path);
        return Progress.Show("verify", report => MappedQueue.Verify(
            path, new Reporter(progress => report(progress.Total > 0 ? progress.Bytes / (double)progress.Total : 1))));
    }

    private static void Print(VerifyReport report, bool isJson)
    {
        if (isJson)
        {
            PrintJson(report);
            return;
        }
        foreach (RecoveryFinding finding in report.Findings)
        {
            Terminal.Line(TextOf(finding));
        }
        string found = report.IsSound ? "sound" : Columns.Count(report.Findings.Count, "finding");
        string files = Columns.Count(report.Files, "file"), segments = Columns.Count(report.Segments, "segment");
        string messages = Columns.Count(report.MessageCount, "message");
        Terminal.Line($"{found}: {files}, {Columns.Bytes(report.Bytes)}, {segments}, {messages}");
    }

    private static string TextOf(RecoveryFinding finding)
    {
        string size = finding.Bytes > 0 ? $", {Columns.Count(finding.Bytes, "byte")}" : "";
        string position = finding.Position is { } there ? $" from position {there}" : "";
        return string.Create(CultureInfo.InvariantCulture, $"{finding.File} at {finding.Offset}{size}{position}: {finding.What}");
    }

    private static void PrintJson(VerifyReport report)
    {
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("path", report.Path);
        json.Member("sound", report.IsSound);
        json.Member("files", report.Files);
        json.Member("bytes", report.Bytes);
        json.Member("segments", report.Segments);
        json.Member("records", report.Records);
        json.Member("messages", report.MessageCount);
        Write(report.Findings, json);
        json.EndObject();
        Terminal.Line(json.Bytes);
    }

    private static void Write(IReadOnlyList<RecoveryFinding> findings, JsonOutput json) => json.Elements("findings", findings, finding =>
    {
        json.BeginObject();
        json.Member("file", finding.File);
        json.Member("offset", finding.Offset);
        json.Member("bytes", finding.Bytes);
        json.Member("position", finding.Position?.Value);
        json.Member("what", finding.What);
        json.EndObject();
    });

    private static int DryRun(string path, bool isJson)
    {
        VerifyReport report = Verify(path);
        Print(report, isJson);
        if (!isJson)
        {
            Terminal.Line(report.IsSound
                ? "a repair would change nothing"
                : "a repair would set these files aside and go on with what is whole");
        }
        return report.IsSound ? ExitCode.Fine : ExitCode.Damaged;
    }

    private static int Repair(string path, bool isJson)
    {
        RefuseOthers(path);
        RecoveryReport report = Progress.Show("repair", () => MappedQueue.Repair(path));
        if (isJson)
        {
            PrintJson(report);
        }
        else
        {
            Print(report);
        }
        return ExitCode.Fine;
    }

    private static void PrintJson(RecoveryReport report)
    {
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("path", report.Path);
        json.Member("messages", report.MessageCount);
        json.Elements("set_aside", report.SetAside, aside => json.Text(aside));
        Write(report.Findings, json);
        json.EndObject();
        Terminal.Line(json.Bytes);
    }

    private static void Print(RecoveryReport report)
    {
        foreach (RecoveryFinding finding in report.Findings)
        {
            Terminal.Line(TextOf(finding));
        }
        foreach (string aside in report.SetAside)
        {
            Terminal.Line($"files as they were: {aside}");
        }
        string outcome = report.Findings.Count == 0 ? "sound, nothing was changed" : "repaired";
        Terminal.Line($"{outcome}: {Columns.Count(report.MessageCount, "message")}");
    }

    // Called before a lock is taken, so that no file of another program's directory changes.
    private static void RefuseOthers(string path)
    {
        try
        {
            QueueLook.Open(path).Dispose();
        }
        catch (QueueException other) when (other.Reason is not (QueueError.NotAQueue or QueueError.NewerFormat))
        {
            // A repair is for such queues, or reports the fault itself.
        }
    }

    /// <summary>Reports on the working thread, unlike the framework's class.</summary>
    private sealed class Reporter(Action<QueueProgress> report) : IProgress<QueueProgress>
    {
        public void Report(QueueProgress value) => report(value);
    }
}
