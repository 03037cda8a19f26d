using System.ComponentModel;
namespace BlitQueue.Generated;

/// <summary>
/// What a reader returns to behind a variable: from <see cref="PackReader.BeginVariable"/> to <see cref="PackReader.EndVariable"/>.
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
