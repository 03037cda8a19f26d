using BlitQueue.Generator.Emit.Kinds;

namespace BlitQueue.Generator.Emit;

/// <summary>Writes the Pack method: one block of fixed-size members, then the variables.</summary>
internal static class PackEmitter
{
    public static void Emit(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        writer.Line(model.IsStruct
            ? "/// <summary>Writes the message.</summary>"
            : "/// <summary>Writes the message, or the null mark for null.</summary>");
        Signatures.OpenPack(writer, context);
        string source = WriteSource(model, writer);
        if (model.Layout == MessageLayout.Tolerant)
        {
            WriteFields(model, source, writer, context);
        }
        else
        {
            WriteFixed(model, source, writer);
            WriteVariables(model, source, writer, context);
        }

        writer.Line("writer.EndMessage();");
        Callbacks.Write(model, CallbackPhase.Packed, source, writer);
        writer.Close();
    }

    // A callback may change the struct: it is called on a copy, so that the caller's does not change.
    private static string WriteSource(MessageModel model, SourceWriter writer)
    {
        bool callsBack = Callbacks.Any(model, CallbackPhase.Packing);
        if (!model.IsStruct)
        {
            WriteGuards(model, writer);
        }
        else if (callsBack || Callbacks.Any(model, CallbackPhase.Packed))
        {
            writer.Line("var message = value;");
        }
        else
        {
            return "value";
        }

        Callbacks.Write(model, CallbackPhase.Packing, "message", writer);
        if (callsBack)
        {
            writer.Line();
        }

        return "message";
    }

    private static void WriteGuards(MessageModel model, SourceWriter writer)
    {
        writer.Line("var message = value;");
        Elements.WriteNullGuard("message is null", writer);
        if (model.CanBeDerived)
        {
            writer.Line($"if (message.GetType() != typeof({model.Header.Name}))");
            writer.Inner($"{Names.PackException}.ThrowDerived(message, typeof({model.Header.Name}));");
            writer.Line();
        }

        if (model.Layout != MessageLayout.Circular)
        {
            return;
        }

        writer.Line("if (!writer.BeginObject(message))");
        writer.Inner("return;");
        writer.Line();
    }

    private static void WriteFields(MessageModel model, string source, SourceWriter writer, EmitContext context)
    {
        writer.Line($"writer.BeginMessage(fixedLength: 0, variableCount: {model.VariableCount});");
        if (model.Members.Count > 0)
        {
            Comments.Write("Members by number:", model.Members.Select(member => $"{member.Slot} {member.Name}"), writer);
        }

        foreach (MemberModel member in model.Members)
        {
            if (TolerantCode.WriteGap(member, model) is { } gap)
            {
                writer.Line(gap);
            }

            string access = MemberCode.Access(member, source);
            writer.Line(member.Type.IsFixed
                ? TolerantCode.Write(member.Type, access)
                : KindCodes.For(member.Type).Pack(member.Type, access, context));
        }
    }

    private static void WriteFixed(MessageModel model, string source, SourceWriter writer)
    {
        var members = model.Members.Where(member => member.Type.IsFixed).ToList();
        string begin = $"writer.BeginMessage(fixedLength: {model.FixedLength}, variableCount: {model.VariableCount});";
        if (members.Count == 0)
        {
            writer.Line(begin);
            return;
        }

        Comments.Write("Fixed block:", members.Select(member => $"{member.Name} at {member.Slot}"), writer);
        writer.Line("var block = " + begin);
        foreach (MemberModel? member in members)
        {
            writer.Line(ValueCode.Write(member.Type, member.Slot, MemberCode.Access(member, source)));
        }
    }

    private static void WriteVariables(MessageModel model, string source, SourceWriter writer, EmitContext context)
    {
        var members = model.Members.Where(member => !member.Type.IsFixed).ToList();
        if (members.Count == 0)
        {
            return;
        }

        writer.Line();
        Comments.Write("Variables:", members.Select(member => member.Name), writer);
        foreach (MemberModel? member in members)
        {
            writer.Line(KindCodes.For(member.Type).Pack(member.Type, MemberCode.Access(member, source), context));
        }
    }
}
