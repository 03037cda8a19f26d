namespace BlitQueue.Generator.Emit.Kinds;

internal sealed class StringCode : KindCode
{
    public override string Pack(WireType type, string source, EmitContext context)
        => context.Model.StringsAreUtf16 ? $"writer.WriteString({source}, {Names.Utf16});" : $"writer.WriteString({source});";

    public override string Unpack(WireType type, string reuse, EmitContext context) => $"reader.ReadString({reuse})";

    public override string Schema(WireType type, List<WireType> nested) => type.Schema;
}
