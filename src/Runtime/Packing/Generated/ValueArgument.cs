namespace BlitQueue.Generated;

/// <summary>For generated code: a type argument of fixed size.</summary>
/// <typeparam name="V">The type argument.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ValueArgument<V> : ArgumentPacker<V>
    where V : unmanaged
{
    /// <summary>Knows the kind.</summary>
    /// <param name="kind">The kind in the schema.</param>
    public ValueArgument(string kind) => Schema = new KindSchema(kind);

    /// <inheritdoc/>
    public override KindSchema Schema { get; }

    /// <inheritdoc/>
    public override int MinimumSize => FixedFormat.Size<V>();

    /// <inheritdoc/>
    public override void Pack(ref PackWriter writer, V value) => writer.WriteField(value);

    /// <inheritdoc/>
    public override V Unpack(ref PackReader reader, V given) => reader.ReadField<V>();

    /// <inheritdoc/>
    public override void PackElement(ref PackWriter writer, V value) => writer.WriteValue(value);

    /// <inheritdoc/>
    public override V UnpackElement(ref PackReader reader, V given) => reader.ReadValue<V>();

    /// <inheritdoc/>
    public override void PackSpan(ref PackWriter writer, scoped ReadOnlySpan<V> values) => writer.WriteSpan(values);

    /// <inheritdoc/>
    public override void PackItems(ref PackWriter writer, IEnumerable<V> values, int growth = 1)
    {
        VariableMark mark = writer.BeginVariable();
        foreach (V value in values)
        {
            writer.WriteValue(value);
        }

        writer.EndVariable(mark);
    }

    /// <inheritdoc/>
    public override int ReadCount(ref PackReader reader, int growth = 1) => reader.CountElements<V>(MinimumSize, growth);

    /// <inheritdoc/>
    public override V[]? UnpackArray(ref PackReader reader, V[]? values) => reader.ReadArray(values);

    /// <inheritdoc/>
    public override List<V>? UnpackList(ref PackReader reader, List<V>? values) => reader.ReadList(values);
}
