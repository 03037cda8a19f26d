namespace BlitQueue.Generator.Emit;

/// <summary>Writes the Unpack method: its checks, then filling or construction.</summary>
internal static class UnpackEmitter
{
    public static void Emit(SourceWriter writer, EmitContext context)
    {
        MessageModel model = context.Model;
        writer.Line(Summary(context));
        Signatures.OpenUnpack(writer, context);
        WriteBegin(model, writer);
        if (model.Creation.FillsInPlace)
        {
            FillEmitter.Emit(writer, context);
        }
        else
        {
            RebuildEmitter.Emit(writer, context);
        }

        if (context.New.Length > 0)
        {
            WriteNew(writer, context);
        }
    }

    // Writes a method that constructs a message without setting its required members, so that these have their initializers' values.
    private static void WriteNew(SourceWriter writer, EmitContext context)
    {
        IEnumerable<string> parameters = context.Model.Creation.Parameters.Select((type, index) => $"{type} parameter{index}");
        writer.Line();
        writer.Line($"[{Names.UnsafeAccessor}({Names.UnsafeAccessor}Kind.Constructor)]");
        writer.Line($"private static extern {context.Model.Header.Name} {context.New}({string.Join(", ", parameters)});");
    }

    private static void WriteBegin(MessageModel model, SourceWriter writer)
    {
        string begin = model.Layout == MessageLayout.Tolerant ? "BeginFields" : "BeginMessage";
        if (model.Layout == MessageLayout.Circular)
        {
            writer.Line("if (!reader.BeginObject(out var block, ref value))");
            writer.Inner("return;");
        }
        else if (model.IsStruct)
        {
            writer.Line($"if (!reader.{begin}(out var block))");
            writer.Inner($"{Names.PackException}.ThrowNullStruct(in reader, typeof({model.Header.Name}));");
        }
        else
        {
            writer.Open($"if (!reader.{begin}(out var block))");
            writer.Line("value = null;");
            writer.Line("return;");
            writer.Close();
        }

        writer.Line();
    }

    private static string Summary(EmitContext context)
    {
        MessageModel model = context.Model;
        string way = model.IsStruct ? "Reads the message."
            : model.Creation.FillsInPlace || model.Creation.FillsGiven
                ? "Reads the message into the instance given, or into a new one; null for the null mark."
            : "Reads the message into a new instance, keeping the given one's strings where they are equal; null for the null mark.";
        return $"/// <summary>{way}</summary>";
    }

    /// <summary>The statement that ends reading the message.</summary>
    public static string End(MessageModel model)
        => $"reader.{(model.Layout == MessageLayout.Tolerant ? "EndFields" : "EndMessage")}"
            + $"(in block, readVariables: {model.VariableCount});";
}
