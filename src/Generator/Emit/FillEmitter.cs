namespace BlitQueue.Generator.Emit;

/// <summary>Writes unpacking by assignment: the code sets every member of a given or a new instance.</summary>
internal static class FillEmitter
{
    public static void Emit(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        if (!model.IsStruct)
        {
            WriteInstance(writer, context);
        }

        if (LooksFirst(model))
        {
            WriteGiven(model, writer);
        }

        Callbacks.Write(model, CallbackPhase.Unpacking, Target(model), writer);
        if (model.Members.Count > 0)
        {
            WriteMembers(writer, context);
        }

        writer.Line(UnpackEmitter.End(model));
        Callbacks.Write(model, CallbackPhase.Unpacked, Target(model), writer);
        writer.Close();

        if (model.Members.Count > 0 && model.Layout != MessageLayout.Tolerant && !LooksFirst(model))
        {
            WriteOtherVersion(writer, context);
        }
    }

    private static void WriteInstance(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        string creation = model.Creation.HasRequired ? $"{context.NeedNew()}()" : $"new {model.Header.Name}()";
        bool hasIdentity = model.Layout == MessageLayout.Circular;
        if (model.Members.Count == 0 && !hasIdentity)
        {
            writer.Line(model.Callbacks.Count == 0 ? $"value ??= {creation};" : $"var message = value ??= {creation};");
            return;
        }

        if (model.Members.Count > 0)
        {
            writer.Line("var given = value;");
        }

        writer.Line($"var message = value ??= {creation};");
        if (hasIdentity)
        {
            writer.Line("reader.AddObject(message);");
        }
    }

    private static void WriteMembers(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        string target = Target(model);
        if (model.Layout == MessageLayout.Tolerant)
        {
            WriteEach(writer, context);
            writer.Line();
            return;
        }

        writer.Open($"if ({MemberCode.IsSameVersion(model)})");
        foreach (MemberModel member in model.Members)
        {
            writer.Line($"{MemberCode.Access(member, target)} = {Read(member, context)};");
        }

        writer.Close();
        writer.Open("else");
        if (LooksFirst(model))
        {
            WriteEach(writer, context);
        }
        else
        {
            writer.Line($"{context.OtherVersion}(ref reader, block, {(model.IsStruct ? "ref value" : "message, given")});");
        }

        writer.Close();
        writer.Line();
    }

    private static void WriteOtherVersion(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        string parameters = $"ref {Names.Reader} reader, scoped {Names.BlockReader} block, ";
        writer.Line();
        writer.Line(model.IsStruct
            ? "// Another version of the type wrote this; what it lacks is cleared."
            : "// Another version of the type wrote this; what it lacks is kept as it is in a new message and cleared in a used one.");
        Signatures.MarkObsolete(model, writer);
        writer.Open(model.IsStruct
            ? $"private static void {context.OtherVersion}({parameters}scoped ref {model.Header.Name} value)"
            : $"private static void {context.OtherVersion}({parameters}{model.Header.Name} message, {model.Header.Name}? given)");
        WriteEach(writer, context);
        writer.Close();
    }

    // Sets each member only if the version of the type that wrote the bytes has it.
    private static void WriteEach(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        foreach (MemberModel member in model.Members)
        {
            if (model.Layout == MessageLayout.Tolerant && TolerantCode.SkipGap(member, model) is { } gap)
            {
                writer.Line(gap);
            }

            string access = MemberCode.Access(member, Target(model));
            string old = model.IsStruct ? "" : $"given is null ? {access} : ";
            writer.Line(
                $"{access} = {MemberCode.IsKnown(member, model)} ? {Read(member, context)} : {old}default{MemberCode.Forgiven(member)};");
        }
    }

    // Reads the caller's members into locals first: what callbacks and setters put into the message afterwards is not the caller's, and
    // must not be filled.
    private static void WriteGiven(MessageModel model, SourceWriter writer)
    {
        if (model.IsStruct)
        {
            writer.Line("var given = value;");
        }
        else
        {
            foreach (MemberModel? member in model.Members.Where(member => IsReused(member) && member.GetsWhatWasSet))
            {
                writer.Line($"var {member.Local} = {Given(member)};");
            }
        }
    }

    private static string Read(MemberModel member, EmitContext context)
    {
        string read = MemberCode.Read(member, Reuse(member, context.Model), context);
        return ComparerCode.AdoptIfBuilt(member.Type, read, MemberCode.Access(member, Target(context.Model)));
    }

    // Only instances of the caller's message are filled: those that a constructor or an initializer put into a new message may be in use
    // elsewhere.
    private static string Reuse(MemberModel member, MessageModel model)
    {
        string access = MemberCode.Access(member, Target(model));
        if (!IsReused(member))
        {
            return access;
        }

        string given = model.IsStruct ? LooksFirst(model) ? MemberCode.Access(member, "given") : access
            : LooksFirst(model) ? member.Local
            : Given(member);
        return Shared.Reuse(member, model, given, access, other => MemberCode.Access(other, Target(model)));
    }

    private static string Given(MemberModel member)
        => member.Type.Nothing == "null" ? $"given?.{member.Identifier}" : $"given is null ? default : given.{member.Identifier}";

    // Strings are immutable; the reader gives back the old one if it is equal.
    private static bool IsReused(MemberModel member) => !member.Type.IsFixed && member.Type.Kind != WireKind.String;

    private static bool LooksFirst(MessageModel model)
        => (Callbacks.Any(model, CallbackPhase.Unpacking) || model.RunsSetters) && model.Members.Any(IsReused);

    private static string Target(MessageModel model) => model.IsStruct ? "value" : "message";
}
