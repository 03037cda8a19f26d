using System.Text.RegularExpressions;

namespace BlitQueue.Cli.Schemas;

/// <summary>The schema that a queue stores: a text such as <c>#0{Id:i64,Items:list&lt;#1&gt;}#1{Sku:string}</c>, parsed.</summary>
internal sealed partial class StoredSchema
{
    private readonly MessageSchema?[] _described;

    private StoredSchema(string text, List<StoredType> types)
    {
        (Text, Types) = (text, types);
        _described = new MessageSchema?[types.Count];
    }

    /// <summary>The text.</summary>
    public string Text { get; }

    /// <summary>The messages; the first is the queue's.</summary>
    public IReadOnlyList<StoredType> Types { get; }

    /// <summary>Parses a text.</summary>
    /// <exception cref="FormatException">It is no schema.</exception>
    public static StoredSchema Parse(string text)
    {
        List<StoredType> types = [];
        if (!text.EndsWith('}'))
        {
            throw new FormatException("the schema does not end with a message");
        }
        foreach (string part in text[..^1].Split('}'))
        {
            string number = string.Create(CultureInfo.InvariantCulture, $"#{types.Count}");
            int brace = part.IndexOf('{', StringComparison.Ordinal);
            if (brace < 0 || !part.StartsWith(number, StringComparison.Ordinal))
            {
                throw new FormatException($"message {types.Count} of the schema does not begin with its number");
            }
            string form = part[number.Length..brace];
            types.Add(new StoredType(form, [.. Split(part[(brace + 1)..]).Select(member => MemberOf(member, form))]));
        }
        RequireKnown(types);
        return new StoredSchema(text, types);
    }

    /// <summary>The same as the library's description of a message type, so that a queue accepts it as its own.</summary>
    public MessageSchema Describe(int number = 0) => _described[number] ??= new MessageSchema(
        number == 0 ? "the stored type" : string.Create(CultureInfo.InvariantCulture, $"#{number}"),
        [.. Types[number].Members.Select(Describe)],
        Types[number].Form);

    private MemberSchema Describe(StoredMember member)
    {
        // In the text of a member the messages that its kind names are numbered from 0, in their order.
        List<int> named = [];
        string kind = MessageNumber().Replace(member.Kind.ToString(), match =>
        {
            named.Add(int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture));
            return string.Create(CultureInfo.InvariantCulture, $"#{named.Count - 1}");
        });
        Func<MessageSchema>[] nested = [.. named.Select(number => (Func<MessageSchema>)(() => Describe(number)))];
        // A union's cases have their tags for names, and no numbers.
        int numbered = member.Name == member.Number.ToString(CultureInfo.InvariantCulture) ? -1 : member.Number;
        return new MemberSchema(member.Name, kind, nested) { Number = numbered };
    }

    private static void RequireKnown(List<StoredType> types)
    {
        foreach (Kind kind in types.SelectMany(type => type.Members).SelectMany(member => All(member.Kind)))
        {
            if (kind.Message >= types.Count)
            {
                throw new FormatException($"the schema names {kind.Name}, which is not there");
            }
        }
    }

    private static IEnumerable<Kind> All(Kind kind) => kind.Parts.SelectMany(All).Prepend(kind);

    private static StoredMember MemberOf(string text, string form)
    {
        int colon = text.IndexOf(':', StringComparison.Ordinal);
        if (colon < 0)
        {
            throw new FormatException($"'{text}' is no member");
        }
        string name = text[..colon];
        int at = form == "tolerant" ? name.IndexOf('@', StringComparison.Ordinal) : -1;
        int number = form == "tolerant" ? NumberOf(name[(at + 1)..]) : form == "union" ? NumberOf(name) : -1;
        return new StoredMember(at < 0 ? name : name[..at], number, KindOf(text[(colon + 1)..]));
    }

    private static int NumberOf(string digits)
        => ushort.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out ushort number)
        ? number
        : throw new FormatException($"'{digits}' is no number of a member");

    private static Kind KindOf(string text)
    {
        bool isNullable = text.EndsWith('?');
        text = isNullable ? text[..^1] : text;
        int bracket = text.IndexOf('<', StringComparison.Ordinal);
        if (bracket < 0)
        {
            return text.StartsWith('#') && !WholeNumber().IsMatch(text)
                ? throw new FormatException($"'{text}' names no message")
                : new Kind(text, [], isNullable);
        }
        return text.EndsWith('>')
            ? new Kind(text[..bracket], [.. Split(text[(bracket + 1)..^1]).Select(KindOf)], isNullable)
            : throw new FormatException($"'{text}' is no kind");
    }

    // Between the commas that are in no brackets.
    private static List<string> Split(string text)
    {
        List<string> parts = [];
        int start = 0, depth = 0;
        for (int at = 0; at < text.Length; at++)
        {
            depth += text[at] switch { '<' => 1, '>' => -1, _ => 0 };
            if (text[at] == ',' && depth <= 0)
            {
                parts.Add(text[start..at]);
                start = at + 1;
            }
        }
        if (text.Length > 0)
        {
            parts.Add(text[start..]);
        }
        return parts;
    }

    [GeneratedRegex("#([0-9]+)")]
    private static partial Regex MessageNumber();

    [GeneratedRegex("^#[0-9]{1,6}$")]
    private static partial Regex WholeNumber();
}
