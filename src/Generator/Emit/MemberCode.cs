using BlitQueue.Generator.Emit.Kinds;

namespace BlitQueue.Generator.Emit;

/// <summary>How a member is read, whatever its kind.</summary>
internal static class MemberCode
{
    /// <summary>Where a message holds the member; the elements of an inline array are the message itself.</summary>
    public static string Access(MemberModel member, string message)
        => member.Type.Kind == WireKind.Inline ? message : $"{message}.{member.Identifier}";

    /// <summary>The expression that reads the member.</summary>
    public static string Read(MemberModel member, string reuse, EmitContext context)
        => member.Type.IsFixed
            ? context.Model.Layout == MessageLayout.Tolerant ? TolerantCode.Read(member.Type) : ValueCode.Read(member.Type, member.Slot)
            : KindCodes.For(member.Type).Unpack(member.Type, reuse, context) + Forgiven(member);

    /// <summary>The condition that the writer knew the member.</summary>
    public static string IsKnown(MemberModel member, MessageModel model)
        => model.Layout == MessageLayout.Tolerant ? TolerantCode.IsKnown(member)
        : member.Type.IsFixed ? ValueCode.Has(member.Type, member.Slot) : $"block.VariableCount > {member.Slot}";

    /// <summary>The condition that the writer did not know the member.</summary>
    public static string IsMissing(MemberModel member, MessageModel model)
        => model.Layout == MessageLayout.Tolerant ? TolerantCode.WasMissing(member, model)
        : member.Type.IsFixed ? "!" + ValueCode.Has(member.Type, member.Slot) : $"block.VariableCount <= {member.Slot}";

    /// <summary>Null may come where the user's type does not allow it; what then happens is the user's to decide.</summary>
    public static string Forgiven(MemberModel member) => member.Type.IsStruct || member.IsNullable ? "" : "!";

    /// <summary>The condition that the writer's version has as many members as this one.</summary>
    public static string IsSameVersion(MessageModel model)
        => $"block.FixedLength == {model.FixedLength} && block.VariableCount == {model.VariableCount}";
}
