namespace BlitQueue.Generator.Emit;

/// <summary>
/// For instances that two members of the caller's message share: once one member's value is unpacked into such an instance, the other
/// member's must not be.
/// </summary>
internal static class Shared
{
    // How many members before it a member is compared with: so code grows linearly with many members of one type.
    private const int MaxCompared = 8;

    public static string Same(string one, string other) => $"object.ReferenceEquals({one}, {other})";

    /// <summary>
    /// The expression for the instance that a member may reuse; null if a member that was read before has the same instance.
    /// </summary>
    /// <param name="member">The member.</param>
    /// <param name="model">Its message.</param>
    /// <param name="given">The expression for the member of the caller's message.</param>
    /// <param name="made">
    /// The expression for the member's value now, the caller's or not: if it is not filled, a new one takes its comparer.
    /// </param>
    /// <param name="read">The expressions for the values that members before it have now.</param>
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
