using BlitQueue.Cli.Codecs;
using BlitQueue.Cli.Output;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq ls</c>: the queues below a directory.</summary>
internal static class ListCommand
{
    public static Command Make()
    {
        var root = new Argument<string>("directory") { Description = "Where to look.", DefaultValueFactory = static _ => "." };
        Option<bool> json = Shared.Json();
        return Shared.Command("ls", "List the queues below a directory.", [root, json], result =>
            Run(result.GetValue(root)!, result.GetValue(json)));
    }

    private static int Run(string root, bool isJson)
    {
        int code = ExitCode.Fine;
        var table = new Columns("queue", "messages", "bytes", "files", "subscriptions", "consumers", "last write", "state");
        string full = Path.GetFullPath(root);
        foreach (string path in MappedQueue.List(full))
        {
            code = Math.Max(code, Look(path, Path.GetRelativePath(full, path), isJson, table));
        }
        table.Print();
        return code;
    }

    private static int Look(string path, string name, bool isJson, Columns table)
    {
        var json = new JsonOutput();
        try
        {
            using var look = QueueLook.Open(path);
            QueueStatus status = look.GetStatus();
            QueueDetails details = look.GetDetails();
            string state = StatusJson.StateOf(details);
            table.Add(
                name == "." ? Path.GetFileName(path) : name, status.MessageCount,
                Columns.Bytes(status.Bytes, status.Capacity), Columns.Bytes(details.FileBytes), status.Subscriptions.Count,
                status.Subscriptions.Sum(static one => one.Consumers), details.LastWrite, state);
            json.BeginObject();
            StatusJson.WriteMembers(look, status, json);
            json.Member("file_bytes", details.FileBytes);
            json.Member("last_write", Times.TextOf(details.LastWrite));
            json.Member("state", state);
            json.EndObject();
            Print(json, isJson, table);
            if (details.IsFailed)
            {
                Terminal.Complain(StatusJson.FailedText(path));
            }
            return details.IsFailed ? ExitCode.Damaged : ExitCode.Fine;
        }
        catch (QueueException exception)
        {
            int code = ExitCode.Of(exception);
            table.Add(name, null, null, null, null, null, null, StatusJson.StateOf(exception));
            json.Clear();
            json.BeginObject();
            json.Member("path", path);
            json.Member("state", StatusJson.StateOf(exception));
            json.EndObject();
            Print(json, isJson, table);
            Terminal.Complain(Guarded.TextOf(exception));
            return code;
        }
    }

    private static void Print(JsonOutput json, bool isJson, Columns table)
    {
        if (isJson)
        {
            table.Clear();
            Terminal.Line(json.Bytes);
        }
    }
}
