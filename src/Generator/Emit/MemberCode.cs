using BlitQueue.Generator.Emit.Kinds;

namespace BlitQueue.Generator.Emit;

/// <summary>Writes the code that reads a member of any kind.</summary>
internal static class MemberCode
{
    /// <summary>The expression for the member of a message; the elements of an inline array are the message itself.</summary>
    public static string Access(MemberModel member, string message)
        => member.Type.Kind == WireKind.Inline ? message : $"{message}.{member.Identifier}";

    /// <summary>The expression that reads the member.</summary>
    public static string Read(MemberModel member, string reuse, EmitContext context)
        => member.Type.IsFixed
            ? context.Model.Layout == MessageLayout.Tolerant ? TolerantCode.Read(member.Type) : ValueCode.Read(member.Type, member.Slot)
            : KindCodes.For(member.Type).Unpack(member.Type, reuse, context) + Forgiven(member);

    /// <summary>The condition that the version that wrote the bytes has the member.</summary>
    public static string IsKnown(MemberModel member, MessageModel model)
        => model.Layout == MessageLayout.Tolerant ? TolerantCode.IsKnown(member)
        : member.Type.IsFixed ? ValueCode.Has(member.Type, member.Slot) : $"block.VariableCount > {member.Slot}";

    /// <summary>The condition that the version that wrote the bytes lacks the member.</summary>
    public static string IsMissing(MemberModel member, MessageModel model)
        => model.Layout == MessageLayout.Tolerant ? TolerantCode.WasMissing(member, model)
        : member.Type.IsFixed ? "!" + ValueCode.Has(member.Type, member.Slot) : $"block.VariableCount <= {member.Slot}";

    /// <summary>
    /// The bytes may have null for a member that is not nullable: ! assigns it all the same, and the user's code decides what that means.
    /// </summary>
    public static string Forgiven(MemberModel member) => member.Type.IsStruct || member.IsNullable ? "" : "!";

    /// <summary>The condition that the version that wrote the bytes has as many members as this one.</summary>
    public static string IsSameVersion(MessageModel model)
        => $"block.FixedLength == {model.FixedLength} && block.VariableCount == {model.VariableCount}";
}
