using System.Security.Cryptography;
using BlitQueue.Generated;

namespace BlitQueue;

/// <summary>A parsed canonical text of a schema: <c>#0form{name:kind,name:kind}#1{...}</c>. The first type is the root message.</summary>
internal sealed class SchemaText
{
    public List<MessageType> Types { get; } = [];

    /// <summary>The first 8 bytes, little-endian, of the SHA-256 of a canonical text in UTF-8.</summary>
    public static ulong Fingerprint(string text) => BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    /// <summary>Parses a text.</summary>
    /// <returns>null if it is anything else, or names a message that it does not contain.</returns>
    public static SchemaText? Parse(string text)
    {
        var parsed = new SchemaText();
        foreach (string part in text.Split('}')[..^1])
        {
            int brace = part.IndexOf('{');
            string prefix = string.Create(CultureInfo.InvariantCulture, $"#{parsed.Types.Count}");
            if (brace < 0 || !part.StartsWith(prefix, StringComparison.Ordinal))
            {
                return null;
            }

            if (ParseMembers(part[(brace + 1)..]) is not { } members)
            {
                return null;
            }

            parsed.Types.Add(new MessageType(part[prefix.Length..brace], members));
        }

        return parsed.Types.Count > 0 && text.EndsWith('}') && parsed.IsWhole ? parsed : null;
    }

    /// <summary>The canonical text: the types that the root reaches, numbered depth first in the order in which they are met.</summary>
    public override string ToString()
    {
        List<int> order = Reached();
        var numbers = order.Select((type, index) => (type, index)).ToDictionary(pair => pair.type, pair => pair.index);
        var text = new StringBuilder();
        foreach (int type in order)
        {
            IEnumerable<string> members = Types[type].Members.Select(
                member => $"{member.Name}:{Renumbered(member.Kind, number => numbers[number])}");
            text.Append(CultureInfo.InvariantCulture, $"#{numbers[type]}{Types[type].Form}{{{string.Join(',', members)}}}");
        }

        return text.ToString();
    }

    /// <summary>The kind without the numbers of its messages, because the numbers of two texts cannot be compared.</summary>
    public static string Shape(string kind)
    {
        foreach (int number in References(kind).Distinct().OrderDescending())
        {
            kind = kind.Replace(string.Create(CultureInfo.InvariantCulture, $"#{number}"), "message", StringComparison.Ordinal);
        }

        return kind;
    }

    /// <summary>The numbers of the messages that a kind names, in its order.</summary>
    public static List<int> References(string kind)
    {
        var numbers = new List<int>();
        for (int at = kind.IndexOf('#'); at >= 0; at = kind.IndexOf('#', at + 1))
        {
            string digits = new string([.. kind.Skip(at + 1).TakeWhile(char.IsAsciiDigit)]);
            if (int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out int number))
            {
                numbers.Add(number);
            }
        }

        return numbers;
    }

    /// <summary>The kind with other numbers for the messages it names.</summary>
    public static string Renumbered(string kind, Func<int, int> number)
        => KindSchema.Replace(kind, '#', old => string.Create(CultureInfo.InvariantCulture, $"#{number(old)}"));

    private bool IsWhole
        => Types.TrueForAll(type => type.Members.TrueForAll(member =>
            References(member.Kind) is var numbers && numbers.Count == member.Kind.Count(c => c == '#')
                && numbers.TrueForAll(number => number < Types.Count)));

    // It uses a stack of its own, because a long chain of types must not exhaust the thread's.
    private List<int> Reached()
    {
        List<int> reached = [];
        HashSet<int> seen = [];
        Stack<int> next = new([0]);
        while (next.TryPop(out int type))
        {
            if (!seen.Add(type))
            {
                continue;
            }

            reached.Add(type);
            foreach (int nested in Types[type].Members.SelectMany(member => References(member.Kind)).Reverse())
            {
                next.Push(nested);
            }
        }

        return reached;
    }

    private static List<Member>? ParseMembers(string text)
    {
        var members = new List<Member>();
        int start = 0;
        int open = 0;
        for (int i = 0; i <= text.Length && text.Length > 0; i++)
        {
            if (i < text.Length && text[i] != ',')
            {
                open += text[i] switch { '<' => 1, '>' => -1, _ => 0 };
                continue;
            }

            if (i < text.Length && open > 0)
            {
                continue;
            }

            int colon = text.IndexOf(':', start);
            if (colon < 0 || colon >= i)
            {
                return null;
            }

            members.Add(new Member(text[start..colon], text[(colon + 1)..i]));
            start = i + 1;
        }

        return members;
    }

    /// <summary>One message type: its <see cref="MessageSchema.Form"/>, and its members in packed order.</summary>
    public sealed record MessageType(string Form, List<Member> Members);

    /// <summary>One member; in a version-tolerant message its name ends with <c>@</c> and its number.</summary>
    public sealed record Member(string Name, string Kind)
    {
        /// <summary>Whether it is in the fixed block of a message whose members have no numbers.</summary>
        public bool IsFixed => MemberSchema.FixedSizeOf(Kind) > 0;

        /// <summary>The number behind the @; empty if there is none.</summary>
        public string Number => Name[(Name.IndexOf('@') + 1 is var at and > 0 ? at : Name.Length)..];

        /// <summary>The name in front of the @.</summary>
        public string BareName => Name.Split('@')[0];
    }
}
