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
        if (SchemaText.Parse(theirsText) is not { } theirs)
            return ["the other schema cannot be read"];

        var lines = new List<string>();
        Compare("", SchemaText.Parse(Text)!, 0, theirs, 0, [], lines);
        return lines.Count > 0 ? lines : ["the same members, but nested messages that are one type here are several there, or the other way round"];
    }

    private static void Compare(
        string path, SchemaText ours, int our, SchemaText theirs, int their, HashSet<(int Our, int Their)> seen, List<string> lines)
    {
        if (!seen.Add((our, their)))
            return;

        var (ourForm, ourMembers) = ours.Types[our];
        var (theirForm, theirMembers) = theirs.Types[their];
        if (ourForm != theirForm)
            lines.Add($"{(path.Length == 0 ? "the message" : path.TrimEnd('.'))}: {Word(ourForm)} here, {Word(theirForm)} there");

        foreach (var (name, kind) in ourMembers)
        {
            var place = theirMembers.FindIndex(member => member.Name == name);
            if (place < 0)
            {
                lines.Add($"{path}{name}: only here ({SchemaText.Shape(kind)})");
                continue;
            }

            var theirKind = theirMembers[place].Kind;
            if (SchemaText.Shape(kind) != SchemaText.Shape(theirKind))
                lines.Add($"{path}{name}: {SchemaText.Shape(kind)} here, {SchemaText.Shape(theirKind)} there");
            else
                foreach (var (ourNext, theirNext) in SchemaText.References(kind).Zip(SchemaText.References(theirKind)))
                    Compare($"{path}{name}.", ours, ourNext, theirs, theirNext, seen, lines);
        }

        foreach (var (name, kind) in theirMembers)
        {
            if (!ourMembers.Exists(member => member.Name == name))
                lines.Add($"{path}{name}: only there ({SchemaText.Shape(kind)})");
        }

        CompareOrder(path, ourMembers, theirMembers, lines);
    }

    private static void CompareOrder(string path, List<SchemaText.Member> ours, List<SchemaText.Member> theirs, List<string> lines)
    {
        var ourOrder = ours.Select(member => member.Name).Where(name => theirs.Exists(member => member.Name == name)).ToList();
        var theirOrder = theirs.Select(member => member.Name).Where(name => ours.Exists(member => member.Name == name)).ToList();
        if (!ourOrder.SequenceEqual(theirOrder))
            lines.Add($"{path}order: {string.Join(", ", ourOrder)} here, {string.Join(", ", theirOrder)} there");
    }

    private static string Word(string form) => form.Length == 0 ? "sequential" : form;
}
