using BlitQueue.Generator.Model;

namespace BlitQueue.Generator.Emit;

/// <summary>Unpacking by assignment: every member of a given or a new instance is set.</summary>
internal static class FillEmitter
{
    public static void Emit(SourceWriter writer, EmitContext context)
    {
        var model = context.Model;
        if (!model.IsStruct)
            WriteInstance(model, writer);

        Callbacks.Write(model, CallbackPhase.Unpacking, Target(model), writer);
        if (model.Members.Count > 0)
            WriteMembers(writer, context);

        writer.Line(UnpackEmitter.End(model));
        Callbacks.Write(model, CallbackPhase.Unpacked, Target(model), writer);
        writer.Close();

        if (model.Members.Count > 0 && model.Layout != MessageLayout.Tolerant)
            WriteOtherVersion(writer, context);
    }

    private static void WriteInstance(MessageModel model, SourceWriter writer)
    {
        var initializer = string.Join(", ", model.Creation.Defaulted.Select(name => $"{name} = default!"));
        var creation = initializer.Length == 0 ? $"new {model.Header.Name}()" : $"new {model.Header.Name} {{ {initializer} }}";
        var hasIdentity = model.Layout == MessageLayout.Circular;
        if (model.Members.Count == 0 && !hasIdentity)
        {
            writer.Line(model.Callbacks.Count == 0 ? $"value ??= {creation};" : $"var message = value ??= {creation};");
            return;
        }

        if (model.Members.Count > 0)
            writer.Line("var isNew = value is null;");
        writer.Line($"var message = value ??= {creation};");
        if (hasIdentity)
            writer.Line("reader.AddObject(message);");
    }

    private static void WriteMembers(SourceWriter writer, EmitContext context)
    {
        var model = context.Model;
        var target = Target(model);
        if (model.Layout == MessageLayout.Tolerant)
        {
            WriteEach(writer, context);
            writer.Line();
            return;
        }

        writer.Open($"if ({MemberCode.IsSameVersion(model)})");
        foreach (var member in model.Members)
            writer.Line($"{target}.{member.Identifier} = {MemberCode.Read(member, Reuse(member, model), context)};");
        writer.Close();
        writer.Open("else");
        writer.Line(model.IsStruct
            ? $"{context.OtherVersion}(ref reader, block, ref value);"
            : $"{context.OtherVersion}(ref reader, block, message, isNew);");
        writer.Close();
        writer.Line();
    }

    private static void WriteOtherVersion(SourceWriter writer, EmitContext context)
    {
        var model = context.Model;
        var parameters = $"ref {Names.Reader} reader, scoped {Names.BlockReader} block, ";
        writer.Line();
        writer.Line(model.IsStruct
            ? "// Another version of the type wrote this; what it lacks is cleared."
            : "// Another version of the type wrote this; what it lacks is kept as it is in a new message and cleared in a used one.");
        writer.Open(model.IsStruct
            ? $"private static void {context.OtherVersion}({parameters}scoped ref {model.Header.Name} value)"
            : $"private static void {context.OtherVersion}({parameters}{model.Header.Name} message, bool isNew)");
        WriteEach(writer, context);
        writer.Close();
    }

    // Member by member, each only if the writer knew it.
    private static void WriteEach(SourceWriter writer, EmitContext context)
    {
        var model = context.Model;
        foreach (var member in model.Members)
        {
            if (model.Layout == MessageLayout.Tolerant && TolerantCode.SkipGap(member, model) is { } gap)
                writer.Line(gap);

            var place = $"{Target(model)}.{member.Identifier}";
            var kept = model.IsStruct ? "" : $"isNew ? {place} : ";
            var read = MemberCode.Read(member, Reuse(member, model), context);
            writer.Line($"{place} = {MemberCode.IsKnown(member, model)} ? {read} : {kept}default{MemberCode.Forgiven(member)};");
        }
    }

    private static string Reuse(MemberModel member, MessageModel model)
        => Shared.Reuse(member, model, $"{Target(model)}.{member.Identifier}", other => $"{Target(model)}.{other.Identifier}");

    private static string Target(MessageModel model) => model.IsStruct ? "value" : "message";
}
