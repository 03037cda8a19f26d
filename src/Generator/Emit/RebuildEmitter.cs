using BlitQueue.Generator.Emit.Kinds;

namespace BlitQueue.Generator.Emit;

/// <summary>
/// Writes unpacking by construction: the code reads everything into locals first, because the object cannot be changed once it is made.
/// </summary>
internal static class RebuildEmitter
{
    public static void Emit(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        if (!model.IsStruct
            && (model.Creation.FillsGiven || model.Members.Any(member => member.Type.Kind is WireKind.String or WireKind.Argument)))
        {
            writer.Line("var given = value;");
        }

        foreach (MemberModel member in model.Members)
        {
            writer.Line($"{LocalType(member)} {member.Local};");
        }

        writer.Line();
        if (model.Layout == MessageLayout.Tolerant)
        {
            WriteEach(writer, context);
        }
        else
        {
            writer.Open($"if ({MemberCode.IsSameVersion(model)})");
            foreach (MemberModel member in model.Members)
            {
                writer.Line($"{member.Local} = {Read(member, context)};");
            }

            writer.Close();
            writer.Open("else");
            writer.Line("// Another version of the type wrote this.");
            WriteEach(writer, context);
            writer.Close();
        }

        writer.Line();
        writer.Line(UnpackEmitter.End(model));
        WriteResult(writer, context);
        writer.Close();
    }

    // Reads each member only if the version of the type that wrote the bytes has it.
    private static void WriteEach(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        var initialized = model.Members.Where(member => member.Restore != Restore.Construct).ToList();
        bool takesInitializers = !model.IsStruct && initialized.Count > 0;
        bool isTolerant = model.Layout == MessageLayout.Tolerant;
        if (takesInitializers && isTolerant)
        {
            writer.Line(TolerantCode.DeclareKnown(model));
        }

        foreach (MemberModel member in model.Members)
        {
            if (isTolerant && TolerantCode.SkipGap(member, model) is { } gap)
            {
                writer.Line(gap);
            }

            string isKnown = takesInitializers && isTolerant
                ? TolerantCode.IsKnownAndNoted(member, model)
                : MemberCode.IsKnown(member, model);
            string missing = member.ParameterDefault + (member.ParameterDefault == "default" ? MemberCode.Forgiven(member) : "");
            writer.Line($"{member.Local} = {isKnown} ? {Read(member, context)} : {missing};");
        }

        if (!takesInitializers)
        {
            return;
        }

        writer.Line();
        if (isTolerant)
        {
            writer.Open($"if ({TolerantCode.LacksAny})");
        }

        writer.Line("// What it lacks has the value that construction gives it.");
        writer.Line($"var fresh = {Fresh(context)};");
        foreach (MemberModel? member in initialized)
        {
            string cleared = model.Creation.FillsGiven ? "given is null && " : "";
            writer.Line($"if ({cleared}{MemberCode.IsMissing(member, model)})");
            writer.Inner($"{member.Local} = fresh.{member.Identifier};");
        }

        if (isTolerant)
        {
            writer.Close();
        }
    }

    private static void WriteResult(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        if (!model.Creation.FillsGiven)
        {
            WriteNew(writer, context);
            return;
        }

        writer.Open("if (given is null)");
        WriteNew(writer, context);
        writer.Line("return;");
        writer.Close();
        writer.Line();
        Callbacks.Write(model, CallbackPhase.Unpacking, "given", writer);
        foreach (MemberModel member in model.Members)
        {
            writer.Line(
                $"given.{member.Identifier} = {ComparerCode.AdoptIfBuilt(member.Type, member.Local, "given." + member.Identifier)};");
        }

        Callbacks.Write(model, CallbackPhase.Unpacked, "given", writer);
    }

    // Before the construction there is no instance to call a callback on, so both callbacks follow it.
    private static void WriteNew(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        var comparing = model.Members.Where(member => member.MayBeMade && ComparerCode.Has(member.Type)).ToList();
        var later = comparing.Where(member => member.Restore == Restore.Assign && !member.IsRequired).ToList();
        if (comparing.Count > later.Count)
        {
            writer.Line("// Comparers are what construction chooses.");
            writer.Line($"var made = {Fresh(context)};");
        }

        string construction = Construction(
            model,
            member => (member.Restore != Restore.Construct || member.IsRequired) && !later.Contains(member),
            member => comparing.Contains(member) ? Adopt(member, "made") : member.Local);
        writer.Line($"value = {construction};");
        foreach (MemberModel? member in later)
        {
            writer.Line($"value.{member.Identifier} = {Adopt(member, "value")};");
        }

        Callbacks.Write(model, CallbackPhase.Unpacking, "value", writer);
        Callbacks.Write(model, CallbackPhase.Unpacked, "value", writer);
    }

    private static string Adopt(MemberModel member, string made)
        => ComparerCode.Adopt(member.Type, member.Local, $"{made}.{member.Identifier}");

    // A new instance as its constructor leaves it; required members have their initializers' values.
    private static string Fresh(EmitContext context)
        => context.Model is { IsStruct: false, Creation.HasRequired: true }
            ? $"{context.NeedNew()}({Arguments(context.Model)})"
            : Construction(context.Model, member => member.IsRequired);

    private static string Arguments(MessageModel model)
        => string.Join(", ", model.Creation.Arguments.Select(index => Argument(model.Members[index])));

    private static string Construction(MessageModel model, Func<MemberModel, bool> isInitialized, Func<MemberModel, string>? valueOf = null)
    {
        string arguments = Arguments(model);
        var initializer = model.Members.Where(isInitialized)
            .Select(member => $"{member.Identifier} = {valueOf?.Invoke(member) ?? member.Local}")
            .Concat(model.Creation.Defaulted.Select(name => $"{name} = default!"))
            .ToList();
        string braces = initializer.Count == 0 ? "" : $" {{ {string.Join(", ", initializer)} }}";
        string parentheses = arguments.Length == 0 && braces.Length > 0 ? "" : $"({arguments})";
        return $"new {model.Header.Name}{parentheses}{braces}";
    }

    private static string Argument(MemberModel member) => member.IsForgivenAsArgument ? member.Local + "!" : member.Local;

    private static string Read(MemberModel member, EmitContext context)
        => member.Type.Kind == WireKind.Argument && !context.Model.Creation.FillsGiven
            ? ArgumentCode.UnpackFresh(member.Type, Given(member, context.Model), context) + MemberCode.Forgiven(member)
            : MemberCode.Read(member, Reuse(member, context.Model), context);

    // An immutable instance may be in use elsewhere, so nothing in it is filled; only its strings can be reused.
    private static string Reuse(MemberModel member, MessageModel model)
        => member.Type.IsStruct ? "default"
        : member.Type.Kind == WireKind.String ? Given(member, model)
        : model.Creation.FillsGiven ? Shared.Reuse(member, model, Given(member, model), Given(member, model), other => other.Local)
        : member.Type.Nothing;

    private static string Given(MemberModel member, MessageModel model)
        => model.IsStruct ? $"value.{member.Identifier}"
        : member.Type.IsParameter ? $"given is null ? default : given.{member.Identifier}"
        : $"given?.{member.Identifier}";

    private static string LocalType(MemberModel member) => member.IsNullable ? member.Type.Name + "?" : member.Type.Name;
}
