using System.Text;

namespace BlitQueue.ApiReference;

/// <summary>The list of all types, with the first sentence that is said of each.</summary>
internal static class IndexPage
{
    public static string Write(IEnumerable<Type> types, DocFile docs)
    {
        var text = new StringBuilder("---\neditLink: false\n---\n\n# API reference\n\nWritten from the comments of the code.\n");
        foreach (IGrouping<string, Type> group in types.GroupBy(static type => type.Namespace!))
        {
            text.Append($"\n## {group.Key}\n\n| type | |\n|---|---|\n");
            foreach (Type type in group)
            {
                string name = Names.Of(type).Replace("<", "&lt;", StringComparison.Ordinal).Replace(">", "&gt;", StringComparison.Ordinal);
                string said = docs.Text(docs.Of(type)?.Element("summary")).Replace("\n", " ", StringComparison.Ordinal);
                int end = said.IndexOf(". ", StringComparison.Ordinal);
                text.Append($"| [{name}]({Names.PageOf(type)}.md) | {(end < 0 ? said : said[..(end + 1)])} |\n");
            }
        }
        return text.ToString();
    }
}
