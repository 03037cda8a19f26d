namespace BlitQueue.Generator.Emit;

/// <summary>Writes a union: a switch selects the case's tag and message.</summary>
internal static class UnionEmitter
{
    public static void Emit(SourceWriter writer, EmitContext context)
    {
        WritePack(writer, context);
        context.WritePackHelpers(writer);
        writer.Line();
        WriteUnpack(writer, context);
        context.WriteUnpackHelpers(writer);
        writer.Line();
        WriteSchema(writer, context.Model);
        if (context.Model.IsInterface)
        {
            WriteContract(writer, context.Model);
        }
    }

    private static void WritePack(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        writer.Line("/// <summary>Writes the message and its case's tag, or the null mark for null.</summary>");
        writer.Open(Signatures.Pack(model));
        writer.Line("var message = value;");
        writer.Open("switch (message)");
        WriteCase(writer, "case null:", "writer.WriteNull();", "return;");
        foreach (CaseModel option in model.Cases)
        {
            string name = $"case{option.Tag}";
            string isExact = option.IsExact ? "" : $" when {name}.GetType() == typeof({option.Type.Name})";
            WriteCase(
                writer, $"case {option.Type.Name} {name}{isExact}:", $"writer.BeginUnion({option.Tag});",
                KindCodes.For(option.Type).Pack(option.Type, name, context), "break;");
        }

        WriteEnd(
            writer, $"{Names.PackException}.ThrowNotInUnion(message, typeof({Signatures.Packed(model)}));", "writer.EndMessage();");
    }

    private static void WriteUnpack(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        writer.Line(
            "/// <summary>Reads the message into the instance given where that is of the case in the bytes, else into a new one; null for "
                + "the null mark.</summary>");
        writer.Open(Signatures.Unpack(model));
        writer.Open("if (!reader.BeginUnion(out var tag))");
        writer.Line("value = null;");
        writer.Line("return;");
        writer.Close();
        writer.Line();
        writer.Open("switch (tag)");
        foreach (CaseModel option in model.Cases)
        {
            string name = $"case{option.Tag}";
            string isExact = option.IsExact ? "" : $" && {name}.GetType() == typeof({option.Type.Name})";
            string reuse = $"value is {option.Type.Name} {name}{isExact} ? {name} : {option.Type.Nothing}";
            string unpack = KindCodes.For(option.Type).Unpack(option.Type, reuse, context);

            // Only one closed form of the union has this case; the others treat its tag as unknown.
            bool isOfAll = option.Union.Length == 0;
            WriteCase(
                writer, isOfAll ? $"case {option.Tag}:" : $"case {option.Tag} when typeof({model.Header.Name}) == typeof({option.Union}):",
                isOfAll ? $"value = {unpack};" : $"value = ({model.Header.Name}?)(object?){unpack};", "break;");
        }

        WriteEnd(
            writer, $"{Names.PackException}.ThrowUnknownTag(in reader, tag, typeof({Signatures.Packed(model)}));", "reader.EndUnion();");
    }

    private static void WriteCase(SourceWriter writer, string label, params string[] statements)
    {
        writer.Line(label);
        foreach (string statement in statements)
        {
            writer.Inner(statement);
        }
    }

    // The end of the switch, with what no case is, and of the method.
    private static void WriteEnd(SourceWriter writer, string refusal, string end)
    {
        WriteCase(writer, "default:", refusal, "break;");
        writer.Close().Line().Line(end).Close();
    }

    private static void WriteSchema(SourceWriter writer, MessageModel model)
    {
        writer.Line("/// <summary>The union's cases by their tags.</summary>");
        writer.Line($"{Signatures.Schema(model)} {{ get; }} = new(\"{model.Header.DisplayName}\",");
        writer.Line("[");
        foreach (CaseModel option in model.Cases)
        {
            writer.Inner($"new {Names.MemberSchema}(\"{option.Tag}\", \"#0\", static () => {SchemaEmitter.Link(option.Type, model)}),");
        }

        writer.Line("], form: \"union\");");
        if (model.Cases.Any(option => !option.Type.IsDirect))
        {
            SchemaEmitter.WriteSchemaOf(writer, model);
        }
    }

    // A public static member of an interface does not implement another interface's member: it is written as an explicit one.
    public static void WriteContract(SourceWriter writer, MessageModel model)
    {
        string contract = $"{Names.IPackable}<{model.Header.Name}>";
        if (!model.Clashes.Pack)
        {
            writer.Line().Line(
                $"static void {contract}.Pack(ref {Names.Writer} writer, scoped in {model.Header.Name}? value) "
                    + "=> Pack(ref writer, in value);");
        }

        if (!model.Clashes.Unpack)
        {
            writer.Line().Line(
                $"static void {contract}.Unpack(ref {Names.Reader} reader, scoped ref {model.Header.Name}? value) "
                    + "=> Unpack(ref reader, ref value);");
        }

        if (!model.Clashes.Schema)
        {
            writer.Line().Line($"static {Names.Schema} {contract}.Schema => Schema;");
        }
    }
}
