using BlitQueue.Cli.Lines;

namespace BlitQueue.Cli.Queues;

/// <summary>Appends the messages of JSON lines to a queue, one after the other, in the memory of the longest line.</summary>
internal sealed class Import(string path, TimeSpan wait, bool creates)
{
    private const int ReportEvery = 4096;

    private readonly PackedMessage _message = new();
    private MappedQueue<PackedMessage>? _queue;
    private MessageLines? _lines;
    private bool _isSameType = true;

    /// <summary>Imports all lines.</summary>
    /// <param name="input">The lines.</param>
    /// <param name="isDry">Whether nothing is to be changed.</param>
    /// <param name="report">Called with how much is done, from 0 to 1.</param>
    /// <returns>How many messages there were.</returns>
    /// <exception cref="JsonFaultException">A line is no message of the queue. Those in front of it were imported.</exception>
    public long Run(Stream input, bool isDry, Action<double> report)
    {
        using var lines = new LineReader(input);
        long imported = 0;
        try
        {
            while (lines.TryRead(out ReadOnlySpan<byte> line))
            {
                imported += TakeGuarded(line, lines.Number, isDry) ? 1 : 0;
                if (imported % ReportEvery == 0 && lines.Part is { } part)
                {
                    report(part);
                }
            }
            if (_lines is null)
            {
                Begin(header: null, isDry);
            }
            return imported;
        }
        finally
        {
            _queue?.Dispose();
        }
    }

    private bool TakeGuarded(ReadOnlySpan<byte> line, long number, bool isDry)
    {
        try
        {
            return Take(line, isDry);
        }
        catch (JsonFaultException fault)
        {
            throw new JsonFaultException(string.Create(CultureInfo.InvariantCulture, $"line {number}: {fault.Message}"));
        }
    }

    private bool Take(ReadOnlySpan<byte> line, bool isDry)
    {
        if (line.IsEmpty)
        {
            return false;
        }
        if (_lines is null)
        {
            var header = ExportHeader.TryRead(line);
            Begin(header, isDry);
            if (header is not null)
            {
                return false;
            }
        }
        _lines!.Read(line, out ReadOnlySpan<byte> message, out byte[] properties, _isSameType);
        _message.Bytes = message;
        _queue?.Producer.EnqueueBehind(_message, properties);
        return true;
    }

    private void Begin(ExportHeader? header, bool isDry)
    {
        var options = new QueueOptions { StallTimeout = wait, FullMode = FullMode.Fail };
        StoredSchema schema;
        if (creates && header is not null && !MappedQueue.Exists(path))
        {
            schema = StoredSchema.Parse(header.Schema);
            options = options with { SegmentSize = header.SegmentSize, UseChecksums = header.Checksums };
        }
        else
        {
            using var look = QueueLook.Open(path);
            schema = StoredSchema.Parse(look.Schema);
        }
        _isSameType = header is null || header.Schema == schema.Text;
        _queue = isDry ? null : WritableQueue.Open(path, schema, options);
        _lines = new MessageLines(schema, isExact: false);
    }
}
