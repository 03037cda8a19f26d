namespace BlitQueue.Generated;

/// <summary>
/// The offset at which <see cref="PackWriter.EndVariable"/> writes the length of the variable that <see cref="PackWriter.BeginVariable"/>
/// began.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct VariableMark
{
    internal VariableMark(int offset) => Offset = offset;

    internal int Offset { get; }
}
