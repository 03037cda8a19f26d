namespace BlitQueue;

/// <summary>
/// What an asynchronous call with a time returns: the message, or none when the time was over before there was one. null could not say so
/// where messages are structs.
/// </summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <example>
/// <code>
/// MessageOrNone&lt;Order&gt; next = await orders.DequeueAsync(TimeSpan.FromSeconds(5));
/// Console.WriteLine(next.TryGet(out Order? order) ? $"next is {order.Id}" : "nothing came for five seconds");
/// </code>
/// </example>
public readonly record struct MessageOrNone<T>
{
    internal MessageOrNone(T message) => (HasMessage, Message) = (true, message);

    /// <summary>Whether there is a message: false when the time was over before one came.</summary>
    [MemberNotNullWhen(true, nameof(Message))]
    public bool HasMessage { get; }

    /// <summary>The message; null (for a struct its default) where there is none.</summary>
    public T? Message { get; }

    /// <summary>Gives the message, if there is one.</summary>
    /// <param name="message">The message; null (for a struct its default) where false is returned.</param>
    /// <returns>false when the time was over before one came.</returns>
    public bool TryGet([MaybeNullWhen(false)] out T message)
    {
        message = Message!;
        return HasMessage;
    }
}
