namespace BlitQueue.Cli.Output;

/// <summary>A table of texts and numbers; numbers are at the right. The same on a terminal and in a file.</summary>
internal sealed class Columns(params string[] heads)
{
    private readonly List<string[]> _rows = [];
    private readonly bool[] _isNumber = new bool[heads.Length];

    public void Add(params object?[] cells)
    {
        string[] row = new string[heads.Length];
        for (int i = 0; i < row.Length; i++)
        {
            _isNumber[i] |= cells[i] is long or int;
            row[i] = TextOf(cells[i]);
        }
        _rows.Add(row);
    }

    public void Clear() => _rows.Clear();

    public bool IsEmpty => _rows.Count == 0;

    /// <summary>Prints it; nothing if there is no row.</summary>
    public void Print()
    {
        if (!IsEmpty)
        {
            Terminal.Line(Text());
        }
    }

    /// <summary>Its lines.</summary>
    public string Text()
    {
        int[] widths = [.. heads.Select((head, i) => _rows.Select(row => row[i].Length).Append(head.Length).Max())];
        return string.Join('\n', _rows.Prepend(heads).Select(row => LineOf(row, widths)));
    }

    private string LineOf(string[] row, int[] widths)
    {
        var line = new StringBuilder();
        for (int i = 0; i < row.Length; i++)
        {
            line.Append(i == 0 ? "" : "  ").Append(_isNumber[i] ? row[i].PadLeft(widths[i]) : row[i].PadRight(widths[i]));
        }
        return line.ToString().TrimEnd();
    }

    private static string TextOf(object? cell) => cell switch
    {
        null => "-",
        long number => number.ToString("N0", CultureInfo.InvariantCulture),
        int number => number.ToString("N0", CultureInfo.InvariantCulture),
        TimeSpan time => Age(time),
        DateTime time => time.ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture),
        _ => cell.ToString()!,
    };

    /// <summary>A number of things.</summary>
    public static string Count(long count, string thing)
        => string.Create(CultureInfo.InvariantCulture, $"{count:N0} {thing}{(count == 1 ? "" : "s")}");

    /// <summary>A time in its two largest units.</summary>
    public static string Age(TimeSpan time) => time switch
    {
        { TotalDays: >= 1 } => string.Create(CultureInfo.InvariantCulture, $"{time.Days}d{time.Hours:00}h"),
        { TotalHours: >= 1 } => string.Create(CultureInfo.InvariantCulture, $"{time.Hours}h{time.Minutes:00}m"),
        { TotalMinutes: >= 1 } => string.Create(CultureInfo.InvariantCulture, $"{time.Minutes}m{time.Seconds:00}s"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{time.Seconds}s"),
    };

    /// <summary>How many bytes wait, and how many may.</summary>
    public static string Bytes(long bytes, long? capacity) => capacity is { } most ? $"{Bytes(bytes)} of {Bytes(most)}" : Bytes(bytes);

    /// <summary>A number of bytes for people.</summary>
    public static string Bytes(long bytes) => bytes switch
    {
        >= 1L << 30 => string.Create(CultureInfo.InvariantCulture, $"{bytes / (double)(1 << 30):N1} GiB"),
        >= 1L << 20 => string.Create(CultureInfo.InvariantCulture, $"{bytes / (double)(1 << 20):N1} MiB"),
        >= 1L << 10 => string.Create(CultureInfo.InvariantCulture, $"{bytes / 1024.0:N1} KiB"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{bytes} B"),
    };
}
