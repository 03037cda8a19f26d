namespace BlitQueue.Generated;

/// <summary>
/// For generated code: packs values of one type that is the type argument of a message. The bytes are those that the type has everywhere,
/// except that a member of fixed size is a variable, because the message's code does not know its size.
/// </summary>
/// <typeparam name="T">The type argument.</typeparam>
/// <remarks>
/// An <em>element</em> is one of several values in a row: a value of fixed size without a length in front, or a variable.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class ArgumentPacker<T>
{
    /// <summary>The fewest bytes that a variable has.</summary>
    protected const int VariableSize = MessageFormat.HeaderSize;

    /// <summary>The kind of an element.</summary>
    public abstract KindSchema Schema { get; }

    /// <summary>The fewest bytes that an element has.</summary>
    public virtual int MinimumSize => VariableSize;

    /// <summary>Writes a variable.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The value.</param>
    public abstract void Pack(ref PackWriter writer, T? value);

    /// <summary>Reads a variable.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="given">An instance that may be filled.</param>
    /// <returns>The value; null for the null mark.</returns>
    public abstract T? Unpack(ref PackReader reader, T? given);

    /// <summary>Reads a variable without changing an instance that may be in use elsewhere.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="given">Returned as it is if it cannot be changed and is equal.</param>
    /// <returns>The value; null for the null mark.</returns>
    public virtual T? UnpackFresh(ref PackReader reader, T? given) => Unpack(ref reader, default);

    /// <summary>Writes an element.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The value.</param>
    public virtual void PackElement(ref PackWriter writer, T? value) => Pack(ref writer, value);

    /// <summary>Reads an element.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="given">An instance that may be filled.</param>
    /// <returns>The value; null for the null mark.</returns>
    public virtual T? UnpackElement(ref PackReader reader, T? given) => Unpack(ref reader, given);

    /// <summary>Writes a variable that is a sequence.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="values">Any number of values.</param>
    public virtual void PackSpan(ref PackWriter writer, scoped ReadOnlySpan<T> values)
    {
        VariableMark mark = writer.BeginVariable();
        writer.WriteCount(values.Length);
        writer.CountMemory<T>(values.Length);
        foreach (T? value in values)
        {
            PackElement(ref writer, value);
        }

        writer.EndVariable(mark);
    }

    /// <summary>Writes a variable that is a sequence of all values that are enumerated.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="values">Any number of values.</param>
    /// <param name="growth">What <see cref="ReadCount"/> is given for the same collection.</param>
    public virtual void PackItems(ref PackWriter writer, IEnumerable<T> values, int growth = 1)
    {
        VariableMark mark = writer.BeginSequence();
        int count = 0;
        foreach (T? value in values)
        {
            PackElement(ref writer, value);
            count++;
        }

        writer.CountMemory<T>(count, growth);
        writer.EndSequence(mark, count);
    }

    /// <summary>Reads how many elements the sequence has whose variable has just begun.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="growth">How many times its elements' size the collection may have allocated when the last one is in it.</param>
    /// <returns>0 or more; so small that the elements may be allocated.</returns>
    public virtual int ReadCount(ref PackReader reader, int growth = 1) => reader.ReadCount<T>(MinimumSize, growth);

    /// <summary>Reads a variable that is a sequence.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="values">Filled by position; returned itself when its length is right.</param>
    /// <returns>The array; null for the null mark.</returns>
    public virtual T[]? UnpackArray(ref PackReader reader, T[]? values)
    {
        if (!reader.BeginVariable(out VariableScope scope))
        {
            return null;
        }

        values = PackReader.Sized(values, ReadCount(ref reader));
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = UnpackElement(ref reader, values[i])!;
        }

        reader.EndWholeVariable(scope);
        return values;
    }

    /// <summary>Reads a variable that is a sequence.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="values">Filled by position, surplus values dropped; returned itself when there is one.</param>
    /// <returns>The list; null for the null mark.</returns>
    public virtual List<T>? UnpackList(ref PackReader reader, List<T>? values)
    {
        if (!reader.BeginVariable(out VariableScope scope))
        {
            return null;
        }

        int count = ReadCount(ref reader);
        values ??= new List<T>(count);
        CollectionsMarshal.SetCount(values, count);
        for (int i = 0; i < count; i++)
        {
            values[i] = UnpackElement(ref reader, values[i])!;
        }

        reader.EndWholeVariable(scope);
        return values;
    }
}
