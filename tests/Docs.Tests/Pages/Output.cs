using System.Text.RegularExpressions;

namespace BlitQueue.Docs.Pages;

/// <summary>What a page says that its code prints: <c>*</c> stands for any text of a line, a line <c>...</c> for any lines.</summary>
internal static class Output
{
    public static void AssertIs(string told, string said)
    {
        string pattern = string.Concat(told.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Line));
        Assert.True(Regex.IsMatch(said, $"^{pattern}$"), $"The page says that its code prints:\n{told}\nIt printed:\n{said}");
    }

    private static string Line(string line) =>
        line.Trim() == "..." ? "(.*\n)*?" : Regex.Escape(line).Replace("\\*", "[^\n]*", StringComparison.Ordinal) + "\n";
}
