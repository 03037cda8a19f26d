using BlitQueue.Cli.Codecs;

namespace BlitQueue.Cli.Queues;

/// <summary>Positions and times as a command line gives them.</summary>
internal static class Where
{
    /// <summary>A point in time, UTC.</summary>
    /// <returns>false if the text is none.</returns>
    public static bool TryTime(string text, out DateTime time)
    {
        bool isTime = Times.TryParse(text, out time);
        time = time.Kind == DateTimeKind.Local ? time.ToUniversalTime() : DateTime.SpecifyKind(time, DateTimeKind.Utc);
        return isTime;
    }

    /// <summary>A position.</summary>
    /// <returns>false if the text is neither a number nor one of the two words.</returns>
    public static bool TryPosition(string text, out QueuePosition position)
    {
        (bool isPosition, position) = text switch
        {
            "oldest" or "begin" => (true, QueuePosition.Oldest),
            "newest" or "end" => (true, QueuePosition.Newest),
            _ when long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long value) => (true, new QueuePosition(value)),
            _ => (false, default),
        };
        return isPosition;
    }
}
