using System.Globalization;
using System.Text;

namespace BlitQueue;

/// <summary>The numbers in a kind: <c>map&lt;string,#1&gt;</c> names the second nested message.</summary>
internal static class KindText
{
    /// <summary>The kind with something else in place of each number behind a mark, and of the mark itself.</summary>
    public static string Replace(string kind, char mark, Func<int, string> replacement)
    {
        if (!kind.Contains(mark, StringComparison.Ordinal))
            return kind;

        var text = new StringBuilder();
        for (var at = 0; at < kind.Length;)
        {
            if (kind[at] != mark)
            {
                text.Append(kind[at++]);
                continue;
            }

            var end = at + 1;
            while (end < kind.Length && char.IsAsciiDigit(kind[end]))
                end++;
            text.Append(replacement(int.Parse(kind.AsSpan((at + 1)..end), NumberStyles.None, CultureInfo.InvariantCulture)));
            at = end;
        }

        return text.ToString();
    }
}
