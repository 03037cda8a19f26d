namespace BlitQueue.Generator.Emit;

/// <summary>
/// Writes the declarations of the three generated members: public, or explicit if the user's type has a member of that name.
/// </summary>
internal static class Signatures
{
    public static string Pack(MessageModel model)
        => Method(model, model.Clashes.Pack, "Pack", $"ref {Names.Writer} writer, scoped in {Value(model)} value");

    public static string Unpack(MessageModel model)
        => Method(model, model.Clashes.Unpack, "Unpack", $"ref {Names.Reader} reader, scoped ref {Value(model)} value");

    public static string Schema(MessageModel model)
        => model.Clashes.Schema ? $"static {Names.Schema} {Contract(model)}.Schema"
        : $"public static {(model.Clashes.HidesBaseSchema || model.IsInterface ? "new " : "")}{Names.Schema} Schema";

    /// <summary>Opens the Pack method. Only obsolete code may use obsolete members without an error: then the body goes into an [Obsolete]
    /// method of its own.</summary>
    public static void OpenPack(SourceWriter writer, EmitContext context)
        => Open(Pack(context.Model), "PackObsolete", "in", writer, context);

    /// <summary>The same for the Unpack method.</summary>
    public static void OpenUnpack(SourceWriter writer, EmitContext context)
        => Open(Unpack(context.Model), "UnpackObsolete", "ref", writer, context);

    /// <summary>Marks a method as obsolete if its body uses obsolete members.</summary>
    public static void MarkObsolete(MessageModel model, SourceWriter writer)
    {
        if (model.UsesObsolete)
        {
            writer.Line("[global::System.Obsolete]");
        }
    }

    private static void Open(string head, string inner, string reference, SourceWriter writer, EmitContext context)
    {
        if (context.Model.UsesObsolete)
        {
            string parameters = head.Substring(head.IndexOf('('));
            string name = context.Free(inner);
            writer.Line(head);
            writer.Inner($"=> {name}(ref {(reference == "in" ? "writer" : "reader")}, {reference} value);");
            writer.Line();
            MarkObsolete(context.Model, writer);
            head = $"private static void {name}{parameters}";
        }

        writer.Open(head);
    }

    private static string Method(MessageModel model, bool isTaken, string name, string parameters)
        => isTaken
            ? $"static void {Contract(model)}.{name}({parameters})"
            : $"public static {(model.IsInterface ? "new " : "")}void {name}({parameters})";

    /// <summary>The interface that the generated half implements.</summary>
    public static string Contract(MessageModel model)
        => model.Packed.Length > 0 ? $"{Names.IPacker}<{model.Packed}>" : $"{Names.IPackable}<{model.Header.Name}>";

    /// <summary>The type that is packed: the message itself, or the one that a packer packs.</summary>
    public static string Packed(MessageModel model) => model.Packed.Length > 0 ? model.Packed : model.Header.Name;

    private static string Value(MessageModel model) => model.IsStruct ? Packed(model) : Packed(model) + "?";
}
