namespace BlitQueue.Cli.Sources;

/// <summary>
/// Names of members in another language: those of .NET, changed where they have characters that the other language does not allow, are
/// words of that language, or would be equal.
/// </summary>
/// <param name="reserved">What no member may be called.</param>
internal sealed class Identifiers(IEnumerable<string> reserved)
{
    private readonly HashSet<string> _taken = [.. reserved];

    /// <summary>The name for the next member.</summary>
    public string Of(string name)
    {
        var text = new StringBuilder();
        foreach (char one in name)
        {
            if (char.IsAsciiLetterOrDigit(one) || one == '_')
            {
                text.Append(one);
            }
            else if (one is not ']')
            {
                // The brackets of an inline array are the only characters that .NET does not have in a name either.
                text.Append(one == '[' ? "_" : string.Create(CultureInfo.InvariantCulture, $"_u{(int)one:x4}"));
            }
        }
        if (text.Length == 0 || char.IsAsciiDigit(text[0]))
        {
            text.Insert(0, '_');
        }
        while (!_taken.Add(text.ToString()))
        {
            text.Append('_');
        }
        return text.ToString();
    }
}
