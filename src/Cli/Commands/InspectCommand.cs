using BlitQueue.Cli.Codecs;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq inspect</c>: what a queue is, how it stands, who has it open.</summary>
internal static class InspectCommand
{
    public static Command Make() => Shared.Look("inspect", "Print what a queue is, how it stands, and who has it open.", Run);

    private static int Run(QueueLook look, bool isJson)
    {
        QueueStatus status = look.GetStatus();
        QueueDetails details = look.GetDetails();
        if (isJson)
        {
            PrintJson(look, status, details);
        }
        else
        {
            Print(look, status, details);
        }
        if (details.IsFailed)
        {
            Terminal.Complain(StatusJson.FailedText(look.Path));
            return ExitCode.Damaged;
        }
        return ExitCode.Fine;
    }

    private static void Print(QueueLook look, QueueStatus status, QueueDetails details)
    {
        string state = details.IsFailed ? "FAILED: a sync has failed, and it takes no more messages"
            : details.IsCurrent ? "fine" : "not opened since it was copied, or the system was started";
        Line("queue", $"{status.Path}");
        Line("state", state);
        Line("id", $"{details.Id:N}, format {details.Format}");
        Line("schema", $"{details.Fingerprint:x16} {look.Schema}");
        Line("segments", $"{details.Segments} of {Columns.Bytes(details.SegmentSize)}, checksums {(details.Checksums ? "on" : "off")}");
        Line("messages", $"{status.MessageCount:N0} in {Columns.Bytes(status.Bytes)}, capacity "
            + (status.Capacity is { } capacity ? Columns.Bytes(capacity) : "unlimited"));
        string durable = details.Durable?.ToString(CultureInfo.InvariantCulture) ?? "-";
        Line("positions", $"{status.First} to {status.Next}, durable up to {durable}");
        Line("retained", details.RetainBytes is null ? "-" : $"{Columns.Bytes(details.RetainBytes.Value)}, {details.RetainFor}");
        if (status.HeldBy is { } holder)
        {
            Line("held by", $"{holder.Subscription}: {Columns.Bytes(holder.Bytes)}");
        }
        PrintTables(status, details, look.Positions());
    }

    private static void PrintTables(QueueStatus status, QueueDetails details, Dictionary<string, long> positions)
    {
        Terminal.Line("");
        SubscriptionsCommand.TableOf(status, positions).Print();
        if (details.Peers is { Count: > 0 } peers)
        {
            Terminal.Line("");
            var table = new Columns("process", "consumes", "appends", "state");
            foreach (QueuePeer peer in peers)
            {
                string process = peer.ProcessId.ToString(CultureInfo.InvariantCulture);
                string? state = PeerProcess.IsStopped(peer.ProcessId, status.Path) is { } isStopped ? isStopped ? "STOPPED" : "runs" : null;
                table.Add(
                    process, peer.Consumes.Count > 0 ? string.Join(", ", peer.Consumes) : "-", peer.IsAppending ? "now" : "-", state);
            }
            table.Print();
        }
        if (status.Recovered is { } recovered)
        {
            Terminal.Line("");
            Terminal.Line(recovered.ToString());
        }
    }

    private static void Line(string name, FormattableString text)
        => Line(name, text.ToString(CultureInfo.InvariantCulture));

    private static void Line(string name, string text) => Terminal.Line($"{name,-10} {text}");

    private static void PrintJson(QueueLook look, QueueStatus status, QueueDetails details)
    {
        var json = new JsonOutput();
        json.BeginObject();
        StatusJson.WriteMembers(look, status, json);
        json.Member("format", details.Format);
        json.Member("id", details.Id.ToString("N"));
        json.Member("schema", look.Schema);
        json.Member("fingerprint", details.Fingerprint.ToString("x16", CultureInfo.InvariantCulture));
        json.Member("segment_size", details.SegmentSize);
        json.Member("checksums", details.Checksums);
        json.Member("file_bytes", details.FileBytes);
        json.Member("last_write", Times.TextOf(details.LastWrite));
        json.Member("current", details.IsCurrent);
        json.Member("failed", details.IsFailed);
        json.Member("durable", details.Durable);
        json.Member("retain_bytes", details.RetainBytes);
        json.Member("retain_for", StatusJson.TextOf(details.RetainFor));
        WritePeers(details.Peers, status.Path, json);
        json.EndObject();
        Terminal.Line(json.Bytes);
    }

    private static void WritePeers(IReadOnlyList<QueuePeer>? peers, string queue, JsonOutput json)
    {
        if (peers is null)
        {
            json.Member("peers", (string?)null);
            return;
        }
        json.Elements("peers", peers, peer =>
        {
            json.BeginObject();
            json.Member("process", peer.ProcessId);
            json.Elements("consumes", peer.Consumes, subscription => json.Text(subscription));
            json.Member("appends", peer.IsAppending);
            if (PeerProcess.IsStopped(peer.ProcessId, queue) is { } isStopped)
            {
                json.Member("stopped", isStopped);
            }
            json.EndObject();
        });
    }
}
