namespace BlitQueue.Generated;

/// <summary>For generated code: a type argument that is a message.</summary>
/// <typeparam name="M">The message.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class MessageArgument<M> : ArgumentPacker<M>
    where M : IPackable<M>
{
    /// <inheritdoc/>
    public override KindSchema Schema { get; } = new("#0", static () => M.Schema);

    /// <inheritdoc/>
    public override void Pack(ref PackWriter writer, M? value) => writer.WriteMessage(in value);

    /// <inheritdoc/>
    public override M? Unpack(ref PackReader reader, M? given)
    {
        reader.ReadMessage(ref given);
        return given;
    }
}
