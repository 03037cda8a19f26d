using System.Globalization;

namespace BlitQueue;

/// <content>The difference between two schemas, told member by member.</content>
public sealed partial class MessageSchema
{
    /// <summary>Says how this message differs from another one that is known by its canonical text only.</summary>
    /// <param name="theirsText">The other one's <see cref="Text"/>, perhaps damaged.</param>
    /// <returns>One line per difference, such as <c>Customer: string here, i64 there</c>; none when both are the same message.</returns>
    public IReadOnlyList<string> Difference(string theirsText)
    {
        if (theirsText == Text)
            return [];
        if (ParseText(theirsText) is not { } theirs)
            return ["the other schema cannot be read"];

        var lines = new List<string>();
        Compare("", ParseText(Text)!, 0, theirs, 0, [], lines);
        return lines.Count > 0 ? lines : ["the same members, but nested messages that are one type here are several there, or the other way round"];
    }

    private static void Compare(
        string path, List<TypeText> ours, int our, List<TypeText> theirs, int their, HashSet<(int Our, int Their)> seen, List<string> lines)
    {
        if (!seen.Add((our, their)))
            return;

        var (ourForm, ourMembers) = ours[our];
        var (theirForm, theirMembers) = theirs[their];
        if (ourForm != theirForm)
            lines.Add($"{(path.Length == 0 ? "the message" : path.TrimEnd('.'))}: {Word(ourForm)} here, {Word(theirForm)} there");

        foreach (var (name, kind) in ourMembers)
        {
            var place = theirMembers.FindIndex(member => member.Name == name);
            if (place < 0)
            {
                lines.Add($"{path}{name}: only here ({Shape(kind)})");
                continue;
            }

            var theirKind = theirMembers[place].Kind;
            if (Shape(kind) != Shape(theirKind))
                lines.Add($"{path}{name}: {Shape(kind)} here, {Shape(theirKind)} there");
            else
                foreach (var (ourNext, theirNext) in References(kind).Zip(References(theirKind)))
                    Compare($"{path}{name}.", ours, ourNext, theirs, theirNext, seen, lines);
        }

        foreach (var (name, kind) in theirMembers)
        {
            if (!ourMembers.Exists(member => member.Name == name))
                lines.Add($"{path}{name}: only there ({Shape(kind)})");
        }

        CompareOrder(path, ourMembers, theirMembers, lines);
    }

    private static void CompareOrder(string path, List<MemberText> ours, List<MemberText> theirs, List<string> lines)
    {
        var ourOrder = ours.Select(member => member.Name).Where(name => theirs.Exists(member => member.Name == name)).ToList();
        var theirOrder = theirs.Select(member => member.Name).Where(name => ours.Exists(member => member.Name == name)).ToList();
        if (!ourOrder.SequenceEqual(theirOrder))
            lines.Add($"{path}order: {string.Join(", ", ourOrder)} here, {string.Join(", ", theirOrder)} there");
    }

    private static string Word(string form) => form.Length == 0 ? "sequential" : form;

    // The kind with its messages unnumbered, since the numbers of two texts say nothing to each other.
    private static string Shape(string kind)
    {
        foreach (var number in References(kind).Distinct().OrderDescending())
            kind = kind.Replace(string.Create(CultureInfo.InvariantCulture, $"#{number}"), "message", StringComparison.Ordinal);
        return kind;
    }

    private static List<int> References(string kind)
    {
        var numbers = new List<int>();
        for (var at = kind.IndexOf('#'); at >= 0; at = kind.IndexOf('#', at + 1))
        {
            var digits = new string([.. kind.Skip(at + 1).TakeWhile(char.IsAsciiDigit)]);
            if (int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
                numbers.Add(number);
        }

        return numbers;
    }

    // #0form{name:kind,name:kind}#1{...}; null when the text is anything else, or names a message it does not hold.
    private static List<TypeText>? ParseText(string text)
    {
        var types = new List<TypeText>();
        foreach (var part in text.Split('}')[..^1])
        {
            var brace = part.IndexOf('{');
            var prefix = string.Create(CultureInfo.InvariantCulture, $"#{types.Count}");
            if (brace < 0 || !part.StartsWith(prefix, StringComparison.Ordinal))
                return null;
            if (ParseMembers(part[(brace + 1)..]) is not { } members)
                return null;
            types.Add(new TypeText(part[prefix.Length..brace], members));
        }

        var whole = types.Count > 0 && text.EndsWith('}')
            && types.TrueForAll(type => type.Members.TrueForAll(member => References(member.Kind).TrueForAll(number => number < types.Count)));
        return whole ? types : null;
    }

    private static List<MemberText>? ParseMembers(string text)
    {
        var members = new List<MemberText>();
        var start = 0;
        var open = 0;
        for (var i = 0; i <= text.Length && text.Length > 0; i++)
        {
            if (i < text.Length && text[i] != ',')
            {
                open += text[i] switch { '<' => 1, '>' => -1, _ => 0 };
                continue;
            }

            if (i < text.Length && open > 0)
                continue;

            var colon = text.IndexOf(':', start);
            if (colon < 0 || colon >= i)
                return null;
            members.Add(new MemberText(text[start..colon], text[(colon + 1)..i]));
            start = i + 1;
        }

        return members;
    }

    private sealed record TypeText(string Form, List<MemberText> Members);

    private sealed record MemberText(string Name, string Kind);
}
