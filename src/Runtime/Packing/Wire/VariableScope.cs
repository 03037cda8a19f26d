namespace BlitQueue.Generated;

/// <summary>
/// The reader's state to which <see cref="PackReader.EndVariable"/> returns behind the variable that <see cref="PackReader.BeginVariable"/>
/// began.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct VariableScope
{
    internal VariableScope(ReadOnlySpan<byte> outer, int end)
    {
        Outer = outer;
        End = end;
    }

    internal ReadOnlySpan<byte> Outer { get; }

    internal int End { get; }
}
