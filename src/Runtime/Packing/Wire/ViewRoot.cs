namespace BlitQueue;

/// <summary>The type of a viewed root message, for questions that views rarely ask.</summary>
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

        // Read only when it is asked for: making a view must not run the static initializers of the user's type.
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
