namespace BlitQueue.Generator.Emit;

/// <summary>
/// Instances that stand in two members of what is given: filled for one of them, they must not be filled again for the other.
/// </summary>
internal static class Shared
{
    // A message with very many members of one type is compared with those right before it alone.
    private const int MaxCompared = 8;

    public static string Same(string one, string other) => $"object.ReferenceEquals({one}, {other})";

    /// <summary>The expression of what a member may reuse: nothing where a member that was read before it has the same instance.</summary>
    /// <param name="member">The member.</param>
    /// <param name="model">Its message.</param>
    /// <param name="given">What the caller's message held.</param>
    /// <param name="made">What the member holds now, the caller's or not: its comparer is taken over where it is not filled.</param>
    /// <param name="read">What the members before it hold now.</param>
    public static string Reuse(MemberModel member, MessageModel model, string given, string made, Func<MemberModel, string> read)
    {
        string unfilled = ComparerCode.Like(member.Type, made);
        if (!member.GetsWhatWasSet)
        {
            return unfilled;
        }

        string filled = given == made || unfilled == member.Type.Nothing ? given : $"{given} ?? {unfilled}";
        if (!member.Type.IsFilled)
        {
            return filled;
        }

        var others = model.Members.TakeWhile(other => !ReferenceEquals(other, member))
            .Where(other => other.Type.Name == member.Type.Name).ToList();
        return others.Count == 0
            ? filled
            : $"{string.Join(" || ", others.Skip(others.Count - MaxCompared).Select(other => Same(given, read(other))))} "
                + $"? {unfilled} : {filled}";
    }
}
