namespace BlitQueue;

/// <summary>What a reader returns to behind a variable: from <see cref="PackReader.BeginVariable"/> to <see cref="PackReader.EndVariable"/>.</summary>
public readonly ref struct VariableScope
{
    internal VariableScope(ReadOnlySpan<byte> outer) => Outer = outer;

    internal ReadOnlySpan<byte> Outer { get; }
}
