using System.Globalization;
using System.Text;

namespace BlitQueue.Tests.House;

/// <summary>
/// Who names whom in <c>src/Runtime</c>, and a picture of it: floors as bands, folders as boxes that say which folders below they use.
/// </summary>
internal static class HousePicture
{
    private const int Width = 980, Left = 130, BoxWidth = 200, BoxHeight = 108, Gap = 10, InARow = 4, FirstLine = 22, LineHeight = 16,
        CharactersInALine = 31;

    /// <summary>One file names a type of another one, in another folder of the same floor.</summary>
    public sealed record Arrow(SourceFile From, SourceFile To, string Type, bool IsUpward);

    public static IEnumerable<Arrow> Arrows(IReadOnlyList<SourceFile> files, Dictionary<string, string[]> folders, string[] members)
    {
        foreach ((string floor, string[] bottomUp) in folders)
        {
            SourceFile[] here = [.. files.Where(file => file.Floor == floor)];
            var declared = here.SelectMany(static file => file.Types.Select(type => (type, file)))
                .DistinctBy(static pair => pair.type).ToDictionary(static pair => pair.type, static pair => pair.file);
            foreach (SourceFile from in here)
            {
                foreach (string word in from.CodeWords.Where(word => declared.ContainsKey(word)
                    && !(from.Folder == bottomUp[0] && members.Contains(word))).Order())
                {
                    SourceFile to = declared[word];
                    if (to.Folder != from.Folder)
                    {
                        yield return new Arrow(from, to, word, Height(bottomUp, to) > Height(bottomUp, from));
                    }
                }
            }
        }
    }

    public static string Draw(IReadOnlyList<SourceFile> files, string[] floors, Dictionary<string, string[]> folders, string[] members)
    {
        ILookup<(string, string), string> uses = Arrows(files, folders, members).Where(static arrow => arrow.To.Folder.Length > 0)
            .Select(static arrow => (From: (arrow.From.Floor, arrow.From.Folder), arrow.To.Folder)).Distinct()
            .ToLookup(static pair => pair.From, static pair => pair.Folder);
        var body = new StringBuilder();
        int top = Gap;
        foreach (string floor in floors.Reverse())
        {
            string[] shown = [.. folders.TryGetValue(floor, out string[]? bottomUp) ? bottomUp.Reverse() : []];
            SourceFile[] here = [.. files.Where(file => file.Floor == floor)];
            if (here.Any(static file => file.Folder.Length == 0))
            {
                shown = ["", .. shown];
            }
            int rows = (shown.Length + InARow - 1) / InARow, height = (rows * (BoxHeight + Gap)) + Gap;
            Band(body, top, height, floor, here.Length);
            for (int i = 0; i < shown.Length; i++)
            {
                string[] order = bottomUp ?? [];
                Box(body, Left + (i % InARow * (BoxWidth + Gap)), top + Gap + (i / InARow * (BoxHeight + Gap)),
                    shown[i].Length == 0 ? "(the floor itself)" : shown[i], here.Count(file => file.Folder == shown[i]),
                    [.. uses[(floor, shown[i])].OrderByDescending(folder => Array.IndexOf(order, folder))]);
            }
            top += height + Gap;
        }
        return string.Create(CultureInfo.InvariantCulture, $"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {Width} {top}" font-family="sans-serif">
            <title>Floors and folders of src/Runtime: each names only what stands below it, or further back on its own floor</title>
            <rect width="{Width}" height="{top}" fill="#ffffff"/>
            {body}</svg>

            """).ReplaceLineEndings("\n");
    }

    private static int Height(string[] bottomUp, SourceFile file)
        => file.Folder.Length == 0 ? bottomUp.Length : Array.IndexOf(bottomUp, file.Folder);

    private static void Band(StringBuilder body, int top, int height, string name, int count) => body.Append(
        CultureInfo.InvariantCulture,
        $"""
        <rect x="{Gap}" y="{top}" width="{Width - (2 * Gap)}" height="{height}" rx="6" fill="#eef2f7"/>
        <text x="{2 * Gap}" y="{top + 30}" font-size="18" font-weight="bold">{name}</text>
        <text x="{2 * Gap}" y="{top + 50}" font-size="12" fill="#444">{Files(count)}</text>

        """);

    private static void Box(StringBuilder body, int left, int top, string name, int count, string[] uses)
    {
        body.Append(CultureInfo.InvariantCulture, $"""
            <rect x="{left}" y="{top}" width="{BoxWidth}" height="{BoxHeight}" rx="4" fill="#ffffff" stroke="#7a8899"/>
            <text x="{left + 8}" y="{top + FirstLine}" font-size="14" font-weight="bold">{name}</text>
            <text x="{left + BoxWidth - 8}" y="{top + FirstLine}" font-size="11" text-anchor="end" fill="#444">{Files(count)}</text>

            """);
        int line = 1;
        foreach (string text in Lines(uses))
        {
            body.Append(CultureInfo.InvariantCulture, $"""
                <text x="{left + 8}" y="{top + FirstLine + (line++ * LineHeight)}" font-size="11" fill="#444">{text}</text>

                """);
        }
    }

    private static IEnumerable<string> Lines(string[] uses)
    {
        string line = "";
        foreach (string word in uses.Select((folder, i) => (i == 0 ? "uses " : "") + folder + (i < uses.Length - 1 ? "," : "")))
        {
            if (line.Length + word.Length + 1 > CharactersInALine)
            {
                yield return line;
                line = "";
            }
            line += (line.Length > 0 ? " " : "") + word;
        }
        if (line.Length > 0)
        {
            yield return line;
        }
    }

    private static string Files(int count) => count == 1 ? "1 file" : string.Create(CultureInfo.InvariantCulture, $"{count} files");
}
