namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>A type for which PackWriter and PackReader have methods with the type's name.</summary>
internal sealed class ObjectCode : KindCode
{
    public override string Pack(WireType type, string source, EmitContext context)
        => type.Schema == "string" && context.Model.StringsAreUtf16
            ? $"writer.Write{type.Word}({source}, {Names.Utf16});"
            : $"writer.Write{type.Word}({source});";

    public override string Unpack(WireType type, string reuse, EmitContext context) => $"reader.Read{type.Word}({reuse})";

    public override string Schema(WireType type, List<WireType> nested) => type.Schema;
}
