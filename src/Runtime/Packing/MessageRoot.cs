namespace BlitQueue;

/// <summary>The type <typeparamref name="T"/> of a root message that is viewed.</summary>
internal sealed class MessageRoot<T> : ViewRoot
    where T : IPackable<T>
{
    public static readonly MessageRoot<T> Instance = new();

    // Not before it is asked: whatever the user's type does when it is first touched, looking at bytes must not.
    public override MessageSchema Schema => T.Schema;

    public override ObjectTable ReadObjects(ReadOnlySpan<byte> bytes)
    {
        var objects = new ObjectTable(keepsStarts: true);
        var reader = new PackReader(bytes, position: 0, depth: 0, objects);
        T? message = default;
        T.Unpack(ref reader, ref message);
        return objects;
    }
}
