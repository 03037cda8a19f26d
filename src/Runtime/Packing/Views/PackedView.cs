namespace BlitQueue.Views;

/// <summary>A packed message whose type has no generated view. It can only be unpacked as a whole.</summary>
/// <typeparam name="T">The message.</typeparam>
public readonly ref struct PackedView<T> : IPackView<PackedView<T>>
    where T : IPackable<T>
{
    private readonly VariableView _content;

    private PackedView(VariableView variable) => _content = variable;

    /// <summary>There is no message.</summary>
    public bool IsNull => _content.IsNull;

    /// <summary>The packed message; empty for null.</summary>
    public ReadOnlySpan<byte> Bytes => _content.Bytes;

    /// <summary>Unpacks the message.</summary>
    /// <returns>A new message; the default of <typeparamref name="T"/> for null.</returns>
    /// <exception cref="PackException">The bytes are no such message.</exception>
    public T? ToObject()
    {
        T? message = default;
        CopyTo(ref message);
        return message;
    }

    /// <summary>Unpacks the message into the given instance if there is one.</summary>
    /// <param name="target">
    /// The instance to fill, or null; the default of <typeparamref name="T"/> afterwards when this view is null.
    /// </param>
    /// <exception cref="PackException">The bytes are no such message.</exception>
    public void CopyTo(ref T? target)
    {
        if (IsNull)
        {
            target = default;
        }
        else
        {
            _content.Source.Unpack(_content.Start, _content.End, _content.Depth, ref target);
        }
    }

    static PackedView<T> IPackView<PackedView<T>>.Of(VariableView variable) => new(variable);
}
