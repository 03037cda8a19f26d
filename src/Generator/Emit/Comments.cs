using System.Text;

namespace BlitQueue.Generator.Emit;

/// <summary>Writes a list into comments, with line breaks.</summary>
internal static class Comments
{
    private const int MaxLength = 110;

    public static void Write(string head, IEnumerable<string> items, SourceWriter writer)
    {
        StringBuilder line = new StringBuilder("// ").Append(head);
        string separator = "";
        foreach (string item in items)
        {
            line.Append(separator);
            if (line.Length + item.Length > MaxLength)
            {
                writer.Line(line.ToString());
                line.Clear().Append("//  ");
            }

            line.Append(' ').Append(item);
            separator = ",";
        }

        writer.Line(line.Append('.').ToString());
    }
}
