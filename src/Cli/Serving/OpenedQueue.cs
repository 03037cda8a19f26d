using BlitQueue.Cli.Lines;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;

namespace BlitQueue.Cli.Serving;

/// <summary>
/// The messages and dead letters of a queue that is open in a page. Each look reads a limited number of messages, however many arrive.
/// </summary>
/// <param name="path">The queue's directory.</param>
/// <param name="subscription">The subscription whose next messages are shown; null for the last ones of all.</param>
internal sealed class OpenedQueue(string path, string? subscription) : IDisposable
{
    private const int Shown = 20, ShownLetters = 50, MostRead = 1000, MostDamage = 20, LongestText = 4096;

    private readonly Queue<byte[]> _lines = [];
    private readonly List<string> _damage = [];
    private MessageSource? _last;
    private MessageLines? _decoder;
    private long _skipped;

    /// <summary>Writes what there is now.</summary>
    public void Write(QueueStatus status, JsonOutput json)
    {
        string? fault = null;
        try
        {
            Read();
        }
        catch (Exception exception) when (Guarded.CodeOf(exception) is not null)
        {
            fault = Guarded.TextOf(exception);
            Close();
        }
        json.BeginObject();
        json.Member("subscription", subscription);
        json.Member("skipped", _skipped);
        json.Elements("faults", _damage.Append(fault).OfType<string>(), text => json.Text(text));
        json.Elements("messages", _lines, line => json.Raw(line));
        json.Elements("letters", status.Subscriptions.Where(static one => one.DeadLetters > 0), one => WriteLetters(one, json));
        json.EndObject();
    }

    private void Read()
    {
        if (subscription is null)
        {
            ReadLast();
            return;
        }
        _lines.Clear();
        _damage.Clear();
        using MessageSource next = Open();
        for (int read = 0; read < Shown && TryRead(next); read++)
        {
            Add(next.Message);
        }
    }

    private MessageSource Open()
    {
        var look = QueueLook.Open(path);
        try
        {
            _decoder ??= new MessageLines(StoredSchema.Parse(look.Schema), isExact: false);
            return new MessageSource(look, from: null, subscription, Note);
        }
        catch
        {
            look.Dispose();
            throw;
        }
    }

    // Reads the messages that came since the look before. If more came than it reads, it skips the rest.
    private void ReadLast()
    {
        bool isFirst = _last is null;
        _last ??= Open();
        if (isFirst && !_last.TrySeekLast(Shown))
        {
            return;
        }
        var found = new Queue<long>();
        int read = 0;
        for (; read < MostRead && TryRead(_last); read++)
        {
            found.Enqueue(_last.Message.Position);
            if (found.Count > Shown)
            {
                found.Dequeue();
            }
        }
        if (found.TryPeek(out long first))
        {
            Decode(_last, first, found.Count);
        }
        if (read == MostRead)
        {
            long before = _last.Look.Position;
            _last.Look.Seek(QueuePosition.Newest);
            _skipped += _last.Look.Position > before ? 1 : 0;
        }
    }

    private void Decode(MessageSource source, long first, int count)
    {
        long after = source.Look.Position;
        source.Look.SeekNextOf(first);
        for (int read = 0; read < count && TryRead(source); read++)
        {
            Add(source.Message);
        }
        if (source.Look.Position < after)
        {
            source.Look.SeekNextOf(after);
        }
    }

    // Messages that were deleted before they were read are skipped.
    private static bool TryRead(MessageSource source)
    {
        bool isGone = false;
        for (; ; )
        {
            try
            {
                if (isGone)
                {
                    source.Look.Seek(QueuePosition.Oldest);
                }
                return source.TryRead();
            }
            catch (QueueException gone) when (gone.Reason == QueueError.PositionGone)
            {
                // What was the oldest may be gone, too, before it is read.
                isGone = true;
            }
        }
    }

    // Damage is reported, and the messages behind it are shown.
    private void Note(QueueCorruptException damage)
    {
        string text = Guarded.TextOf(damage);
        if (_damage.Count < MostDamage && !_damage.Contains(text))
        {
            _damage.Add(text);
        }
    }

    private void Add(StoredMessage message)
    {
        var text = new JsonOutput();
        bool isMessage = _decoder!.WriteForPeople(message, text) is null;
        string position = message.Position.ToString(CultureInfo.InvariantCulture);
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("position", position);
        WriteText(text.ToString()[position.Length..].TrimStart(), json);
        json.Member("readable", isMessage);
        json.EndObject();
        _lines.Enqueue(json.Bytes.ToArray());
        if (_lines.Count > Shown)
        {
            _lines.Dequeue();
        }
    }

    private static void WriteText(string text, JsonOutput json)
    {
        json.Member("text", text.Length > LongestText ? text[..LongestText] : text);
        json.Member("cut", text.Length > LongestText);
    }

    private void WriteLetters(SubscriptionStatus one, JsonOutput json)
    {
        json.BeginObject();
        json.Member("subscription", one.Name);
        json.Member("count", one.DeadLetters);
        json.Name("letters");
        json.BeginArray();
        string? fault = null;
        try
        {
            using var letters = Letters.TryOpen(path, one.Name);
            for (int shown = 0; shown < ShownLetters && letters?.TryRead() == true; shown++)
            {
                Write(letters, json);
            }
        }
        catch (Exception exception) when (Guarded.CodeOf(exception) is not null)
        {
            fault = Guarded.TextOf(exception);
        }
        json.EndArray();
        json.Member("fault", fault);
        json.EndObject();
    }

    private static void Write(Letters letters, JsonOutput json)
    {
        string text = letters.TextOfMessage(out _);
        json.BeginObject();
        json.Member("position", letters.Position.ToString(CultureInfo.InvariantCulture));
        json.Member("time", letters.Time);
        json.Member("attempts", letters.Attempts);
        json.Member("reason", letters.Reason);
        WriteText(text, json);
        json.EndObject();
    }

    private void Close()
    {
        _last?.Dispose();
        _last = null;
        _lines.Clear();
        _damage.Clear();
    }

    public void Dispose() => Close();
}
