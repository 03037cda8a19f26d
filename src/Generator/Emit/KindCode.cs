namespace BlitQueue.Generator.Emit;

/// <summary>How one kind of variable is written and read.</summary>
internal abstract class KindCode
{
    /// <summary>The statement that packs an expression's value as a variable.</summary>
    public abstract string Pack(WireType type, string source, EmitContext context);

    /// <summary>The expression that unpacks a variable and may reuse an instance. For the null mark a reference becomes null.</summary>
    public abstract string Unpack(WireType type, string reuse, EmitContext context);

    /// <summary>The kind as the schema names it; adds the messages in it to <paramref name="nested"/>.</summary>
    public abstract string Schema(WireType type, List<WireType> nested);

    public virtual void WritePackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
        => throw new InvalidOperationException($"{type.Kind} asks for no helper method.");

    public virtual void WriteUnpackHelper(WireType type, string name, SourceWriter writer, EmitContext context)
        => throw new InvalidOperationException($"{type.Kind} asks for no helper method.");
}
