namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>A value of fixed size: in the fixed block, at an offset that the generator computes.</summary>
internal sealed class ValueCode : KindCode
{
    public static string Write(WireType type, int offset, string source)
        => type.Kind == WireKind.NullableValue ? $"block.WriteNullable({offset}, {source});" : $"block.Write({offset}, {source});";

    public static string Read(WireType type, int offset)
        => type.Kind == WireKind.NullableValue
            ? $"block.ReadNullable<{type.Element!.Name}>({offset})"
            : $"block.Read<{type.Name}>({offset})";

    public static string Has(WireType type, int offset)
        => type.Kind == WireKind.NullableValue ? $"block.HasNullable<{type.Element!.Name}>({offset})" : $"block.Has<{type.Name}>({offset})";

    public override string Pack(WireType type, string source, EmitContext context) => throw NotVariable(type);

    public override string Unpack(WireType type, string reuse, EmitContext context) => throw NotVariable(type);

    public override string Schema(WireType type, List<WireType> nested) => type.Schema;

    private static InvalidOperationException NotVariable(WireType type) => new($"{type.Name} has a fixed size and is no variable.");
}
