using System.Diagnostics;
using OpenTelemetry;

namespace BlitQueue.Hosting.Peer;

/// <summary>
/// Writes down the spans of a process: trace, span, parent, kind, name, status and the spans that it links to, one line each.
/// </summary>
internal sealed class SpanFile(string path) : BaseExporter<Activity>
{
    private static readonly Lock Writing = new();

    public override ExportResult Export(in Batch<Activity> batch)
    {
        lock (Writing)
        {
            foreach (Activity span in batch)
            {
                object[] words =
                [
                    span.TraceId, span.SpanId, span.ParentSpanId, span.Kind, span.OperationName.Split(' ')[0], span.Status,
                    string.Join(' ', span.Links.Select(static link => link.Context.SpanId)),
                ];
                File.AppendAllText(path, string.Join(' ', words) + "\n");
            }
        }
        return ExportResult.Success;
    }
}
