using BlitQueue.Generator.Model;

namespace BlitQueue.Generator.Emit;

/// <summary>The heads of the three generated members: public ones, or explicit ones where the user has taken the name.</summary>
internal static class Signatures
{
    public static string Pack(MessageModel model)
        => Method(model, model.Clashes.Pack, "Pack", $"ref {Names.Writer} writer, scoped in {Value(model)} value");

    public static string Unpack(MessageModel model)
        => Method(model, model.Clashes.Unpack, "Unpack", $"ref {Names.Reader} reader, scoped ref {Value(model)} value");

    public static string Schema(MessageModel model)
        => model.Clashes.Schema ? $"static {Names.Schema} {Contract(model)}.Schema"
        : $"public static {(model.Clashes.HidesBaseSchema || model.IsInterface ? "new " : "")}{Names.Schema} Schema";

    private static string Method(MessageModel model, bool isTaken, string name, string parameters)
        => isTaken ? $"static void {Contract(model)}.{name}({parameters})" : $"public static {(model.IsInterface ? "new " : "")}void {name}({parameters})";

    /// <summary>The interface that the generated half implements.</summary>
    public static string Contract(MessageModel model)
        => model.Packed.Length > 0 ? $"{Names.IPacker}<{model.Packed}>" : $"{Names.IPackable}<{model.Header.Name}>";

    /// <summary>What is packed: the type itself, or that which a packer is for.</summary>
    public static string Packed(MessageModel model) => model.Packed.Length > 0 ? model.Packed : model.Header.Name;

    private static string Value(MessageModel model) => model.IsStruct ? Packed(model) : Packed(model) + "?";
}
