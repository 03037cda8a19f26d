namespace BlitQueue.Generator.Emit;

/// <summary>Writes code for the members of a version-tolerant message: each is a variable, found by its number.</summary>
internal static class TolerantCode
{
    /// <summary>The condition that the version that wrote the bytes lacks a member.</summary>
    public const string LacksAny = "global::System.MemoryExtensions.Contains(known, false)";

    // So small that the flags of 64 messages nested in each other do not overflow the stack.
    private const int MaxStackFlags = 256;

    public static string Write(WireType type, string source) => type.Kind == WireKind.NullableValue
        ? $"writer.WriteNullableField({source});"
        : $"writer.WriteField({source});";

    public static string Read(WireType type) => type.Kind == WireKind.NullableValue
        ? $"reader.ReadNullableField<{type.Element!.Name}>()"
        : $"reader.ReadField<{type.Name}>()";

    /// <summary>
    /// The condition that the version that wrote the bytes has the member; must be evaluated right before the member is read.
    /// </summary>
    public static string IsKnown(MemberModel member) => $"reader.HasField(in block, {member.Slot})";

    /// <summary>The condition that the version that wrote the bytes lacks the member; for use after all members are read.</summary>
    public static string WasMissing(MemberModel member, MessageModel model) => $"!known[{IndexOf(member, model)}]";

    /// <summary>The same as <see cref="IsKnown"/>, and stores the result for later.</summary>
    public static string IsKnownAndNoted(MemberModel member, MessageModel model)
        => $"(known[{IndexOf(member, model)}] = {IsKnown(member)})";

    public static string DeclareKnown(MessageModel model)
        => $"{Names.Span}<bool> known = {(model.Members.Count <= MaxStackFlags ? "stackalloc" : "new")} bool[{model.Members.Count}];";

    /// <summary>The statement that writes holes for the numbers between the member and the one before it, if there are any.</summary>
    public static string? WriteGap(MemberModel member, MessageModel model)
        => GapBefore(member, model) is var gap and > 0 ? $"writer.WriteHoles({gap});" : null;

    /// <summary>
    /// The statement that skips the members that another version may have between the member and the one before it; null if no number is
    /// free.
    /// </summary>
    public static string? SkipGap(MemberModel member, MessageModel model)
        => GapBefore(member, model) is var gap and > 0 ? $"reader.SkipFields(in block, {member.Slot - gap}, {gap});" : null;

    private static int GapBefore(MemberModel member, MessageModel model)
    {
        int index = IndexOf(member, model);
        return member.Slot - (index == 0 ? 0 : model.Members[index - 1].Slot + 1);
    }

    private static int IndexOf(MemberModel member, MessageModel model)
    {
        int index = 0;
        while (!ReferenceEquals(model.Members[index], member))
        {
            index++;
        }

        return index;
    }
}
