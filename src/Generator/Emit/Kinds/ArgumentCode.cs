namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>A type parameter: the packer of the type argument is found when the code runs.</summary>
internal sealed class ArgumentCode : KindCode
{
    public override string Pack(WireType type, string source, EmitContext context)
        => $"{Packer(type, context)}.Pack(ref writer, {source});";

    public override string Unpack(WireType type, string reuse, EmitContext context)
        => $"{Packer(type, context)}.Unpack(ref reader, {reuse})";

    public override string Schema(WireType type, List<WireType> nested) => Nested.AddArgument(type, nested);

    /// <summary>The expression that unpacks a variable for an immutable object, whose instances must not be filled.</summary>
    public static string UnpackFresh(WireType type, string reuse, EmitContext context)
        => $"{Packer(type, context)}.UnpackFresh(ref reader, {reuse})";

    /// <summary>The expression for the packer of the type argument.</summary>
    public static string Packer(WireType type, EmitContext context) => Packer(type, context.Model.StringsAreUtf16);

    /// <summary>The expression for the type argument's kind in the schema.</summary>
    public static string SchemaOf(WireType type) => $"{Packer(type, isUtf16: false)}.Schema{(type.StandsAlone ? ".AsVariable" : "")}";

    private static string Packer(WireType type, bool isUtf16)
        => $"{Names.TypeArgument}<{type.Name}>.{(isUtf16 ? "Utf16Packer" : "Packer")}";
}
