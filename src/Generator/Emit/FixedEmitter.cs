using BlitQueue.Generator.Emit.Kinds;

namespace BlitQueue.Generator.Emit;

/// <summary>
/// For a message whose members have fixed sizes and accept any bytes: writes code that packs into, and unpacks from, memory that is known
/// to be long enough, without a writer or reader. That code cannot fail.
/// </summary>
internal static class FixedEmitter
{
    private const int HeaderSize = 4;

    // Kinds for which some bytes are no valid value: reading them may fail.
    private static readonly HashSet<string> Checked = ["bool", "decimal", "datetime", "datetimeoffset", "date", "time", "rune"];

    /// <summary>Whether this code can be generated for the message.</summary>
    public static bool Applies(MessageModel model)
        => model.Layout == MessageLayout.Sequential && model.Packed.Length == 0 && !model.IsInterface
        && model.Members.Count > 0 && model.VariableCount == 0 && !model.RunsUserCode && !model.RunsSetters && model.Callbacks.Count == 0
        && !model.UsesObsolete
        && model.Header.TypeParameters.Count == 0 && model.Creation.FillsInPlace
        && model.Members.All(member => member.Type.Kind == WireKind.Value && !Checked.Contains(member.Type.Schema));

    public static void Emit(SourceWriter writer, MessageModel model)
    {
        writer.Line(
            "// Every message takes the same bytes, and any bytes are a message: a queue can pack and unpack it without "
                + "a writer or reader.");
        writer.Line($"static int {Signatures.Contract(model)}.FixedLength => {HeaderSize + model.FixedLength};");
        writer.Line();
        WritePack(writer, model);
        writer.Line();
        WriteUnpack(writer, model);
    }

    // Writes to the bytes directly, after one length check for all members: the JIT inlines only so much into the loop around Enqueue, and
    // a call for each member would exceed that.
    private static void WritePack(SourceWriter writer, MessageModel model)
    {
        writer.Open(
            $"static bool {Signatures.Contract(model)}.TryPackFixed({Names.Span}<byte> destination, scoped in {model.Header.Name} value)");
        string guard = model.IsStruct ? ""
            : model.CanBeDerived ? $"value is null || value.GetType() != typeof({model.Header.Name}) || "
            : "value is null || ";
        writer.Line($"if ({guard}destination.Length < {HeaderSize + model.FixedLength})");
        writer.Inner("return false;");
        writer.Line();
        writer.Line(
            $"{Names.FixedMessage}.Write(destination, 0, {Header(model)}); // {model.FixedLength} bytes of fixed block, no variables");
        foreach (MemberModel member in model.Members)
        {
            writer.Line($"{Names.FixedMessage}.Write(destination, {HeaderSize + member.Slot}, value.{member.Identifier});");
        }

        writer.Line("return true;");
        writer.Close();
    }

    private static void WriteUnpack(SourceWriter writer, MessageModel model)
    {
        string value = model.IsStruct ? model.Header.Name : model.Header.Name + "?";
        writer.Open(
            $"static bool {Signatures.Contract(model)}.TryUnpackFixed({Names.ReadOnlySpan}<byte> source, scoped ref {value} value)");
        writer.Line($"if ({(model.IsStruct ? "" : "value is null || ")}source.Length != {HeaderSize + model.FixedLength})");
        writer.Inner("return false;");
        writer.Line();
        writer.Line($"if ({Names.FixedMessage}.Read<uint>(source, 0) != {Header(model)})");
        writer.Inner("return false;");
        writer.Line();
        foreach (MemberModel member in model.Members)
        {
            writer.Line($"value.{member.Identifier} = {Names.FixedMessage}.Read<{member.Type.Name}>(source, {HeaderSize + member.Slot});");
        }

        writer.Line("return true;");
        writer.Close();
    }

    private static string Header(MessageModel model) => $"{model.FixedLength}u";
}
