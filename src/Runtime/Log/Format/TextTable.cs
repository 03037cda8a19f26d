namespace BlitQueue.Log;

/// <summary>
/// A table for people, of one line for each row: names to the left, numbers to the right, and text at the end as long as it is.
/// </summary>
internal sealed class TextTable(params string[] heads)
{
    private readonly List<string[]> _rows = [heads];

    /// <summary>The number of the first column from the left that is text without an end; none where it is negative.</summary>
    public int TextFrom { get; init; } = -1;

    /// <summary>Whether it has any row.</summary>
    public bool IsEmpty => _rows.Count == 1;

    /// <summary>Adds a row, with a cell for each head.</summary>
    public void Add(params object?[] cells) => _rows.Add([.. cells.Select(Text)]);

    public override string ToString()
    {
        int[] widths = [.. heads.Select((_, column) => _rows.Max(row => row[column].Length))];
        var text = new StringBuilder();
        foreach (string[] row in _rows)
        {
            var line = new StringBuilder();
            for (int column = 0; column < row.Length; column++)
            {
                string cell = row[column];
                line.Append(column == 0 ? "" : "  ")
                    .Append(column == 0 || column == TextFrom ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column]));
            }
            text.Append(line.ToString().TrimEnd()).Append('\n');
        }
        return text.ToString().TrimEnd('\n');
    }

    /// <summary>A cell as people read it: numbers in groups of three digits, a time to the second, a dash for nothing.</summary>
    private static string Text(object? cell) => cell switch
    {
        null => "-",
        long or int => string.Create(CultureInfo.InvariantCulture, $"{cell:N0}"),
        TimeSpan { Days: > 0 } time => time.ToString(@"d\d\ hh\:mm\:ss", CultureInfo.InvariantCulture),
        TimeSpan time => time.ToString(@"hh\:mm\:ss", CultureInfo.InvariantCulture),
        DateTime time => time.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture),
        _ => cell.ToString() ?? "",
    };
}
