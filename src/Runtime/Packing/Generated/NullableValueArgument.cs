namespace BlitQueue.Generated;

/// <summary>For generated code: a type argument of fixed size that can be null: <c>Box&lt;int?&gt;</c>.</summary>
/// <typeparam name="V">The type argument without its question mark.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NullableValueArgument<V> : ArgumentPacker<V?>
    where V : unmanaged
{
    /// <summary>Knows the kind.</summary>
    /// <param name="kind">The kind in the schema, with its question mark.</param>
    public NullableValueArgument(string kind) => Schema = new KindSchema(kind);

    /// <inheritdoc/>
    public override KindSchema Schema { get; }

    /// <inheritdoc/>
    public override int MinimumSize => 1 + FixedFormat.Size<V>();

    /// <inheritdoc/>
    public override void Pack(ref PackWriter writer, V? value)
    {
        VariableMark mark = writer.BeginVariable();
        writer.WriteNullable(value);
        writer.EndVariable(mark);
    }

    /// <inheritdoc/>
    public override V? Unpack(ref PackReader reader, V? given)
    {
        if (!reader.BeginVariable(out VariableScope scope))
        {
            PackException.ThrowNullStruct(in reader, typeof(V?));
        }

        V? value = reader.ReadNullable<V>();
        reader.EndWholeVariable(scope);
        return value;
    }

    /// <inheritdoc/>
    public override void PackElement(ref PackWriter writer, V? value) => writer.WriteNullable(value);

    /// <inheritdoc/>
    public override V? UnpackElement(ref PackReader reader, V? given) => reader.ReadNullable<V>();

    /// <inheritdoc/>
    public override void PackSpan(ref PackWriter writer, scoped ReadOnlySpan<V?> values) => writer.WriteNullableSpan(values);

    /// <inheritdoc/>
    public override void PackItems(ref PackWriter writer, IEnumerable<V?> values, int growth = 1)
    {
        VariableMark mark = writer.BeginVariable();
        foreach (V? value in values)
        {
            writer.WriteNullable(value);
        }

        writer.EndVariable(mark);
    }

    /// <inheritdoc/>
    public override int ReadCount(ref PackReader reader, int growth = 1) => reader.CountElements<V?>(MinimumSize, growth);

    /// <inheritdoc/>
    public override V?[]? UnpackArray(ref PackReader reader, V?[]? values) => reader.ReadNullableArray(values);

    /// <inheritdoc/>
    public override List<V?>? UnpackList(ref PackReader reader, List<V?>? values) => reader.ReadNullableList(values);
}
