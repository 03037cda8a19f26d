namespace BlitQueue.Generator.Emit;

/// <summary>A kind that is packed and unpacked by generated helper methods, written once per file.</summary>
internal abstract class HelperCode : KindCode
{
    public override string Pack(WireType type, string source, EmitContext context) => $"{context.PackHelper(type)}(ref writer, {source});";

    public override string Unpack(WireType type, string reuse, EmitContext context) => $"{context.UnpackHelper(type)}(ref reader, {reuse})";

    public abstract override void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context);

    public abstract override void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context);
}
