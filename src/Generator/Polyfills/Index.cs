namespace System;

/// <summary>What list patterns are compiled to.</summary>
internal readonly struct Index(int value, bool fromEnd = false)
{
    public int GetOffset(int length) => fromEnd ? length - value : value;

    public static implicit operator Index(int value) => new(value);
}
