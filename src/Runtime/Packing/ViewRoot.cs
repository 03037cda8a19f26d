namespace BlitQueue;

/// <summary>The type of a root message that is viewed, for what is rarely asked.</summary>
internal abstract class ViewRoot
{
    /// <summary>The root message's schema.</summary>
    public abstract MessageSchema Schema { get; }

    /// <summary>Unpacks the root message for the sake of the objects with identity in it.</summary>
    public abstract ObjectTable ReadObjects(ReadOnlySpan<byte> bytes);
}
