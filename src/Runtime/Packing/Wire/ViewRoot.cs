namespace BlitQueue;

/// <summary>The type of a root message that is viewed, for what is rarely asked.</summary>
internal abstract class ViewRoot
{
    /// <summary>The root message's schema.</summary>
    public abstract MessageSchema Schema { get; }

    /// <summary>Unpacks the root message for the sake of the objects with identity in it.</summary>
    public abstract ObjectTable ReadObjects(ReadOnlySpan<byte> bytes);

    /// <summary>The type <typeparamref name="T"/>.</summary>
    internal sealed class Of<T> : ViewRoot
        where T : IPackable<T>
    {
        public static readonly Of<T> Instance = new();

        // Not before it is asked: whatever the user's type does when it is first touched, looking at bytes must not.
        public override MessageSchema Schema => T.Schema;

        public override ObjectTable ReadObjects(ReadOnlySpan<byte> bytes)
        {
            var objects = new ObjectTable(recordsStarts: true);
            var reader = new PackReader(bytes, bytes.Length, position: 0, depth: 0, objects);
            T? message = default;
            T.Unpack(ref reader, ref message);
            return objects;
        }
    }
}
