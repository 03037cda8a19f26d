namespace BlitQueue;

/// <summary>What a reader returns to behind a variable: from <see cref="PackReader.BeginVariable"/> to <see cref="PackReader.EndVariable"/>.</summary>
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
