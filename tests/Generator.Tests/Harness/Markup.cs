using System.Text;
using Microsoft.CodeAnalysis.Text;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>Source text with <c>[|marks|]</c>.</summary>
internal static class Markup
{
    private const string Open = "[|";
    private const string Close = "|]";

    public static (string Source, IReadOnlyList<TextSpan> Spans) Parse(string marked)
    {
        var source = new StringBuilder();
        List<TextSpan> spans = [];
        while (true)
        {
            int open = marked.IndexOf(Open, StringComparison.Ordinal);
            if (open < 0)
            {
                return (source.Append(marked).ToString(), spans);
            }

            int close = marked.IndexOf(Close, open, StringComparison.Ordinal);
            source.Append(marked, 0, open);
            spans.Add(new TextSpan(source.Length, close - open - Open.Length));
            source.Append(marked, open + Open.Length, close - open - Open.Length);
            marked = marked[(close + Close.Length)..];
        }
    }
}
