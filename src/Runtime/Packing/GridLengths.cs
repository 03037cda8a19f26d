using System.Runtime.CompilerServices;

namespace BlitQueue;

/// <summary>The lengths of an array of up to 4 dimensions, read once.</summary>
[InlineArray(4)]
internal struct GridLengths
{
    private int _first;
}
