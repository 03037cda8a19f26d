namespace BlitQueue.Hosting;

/// <summary>One message of a batch.</summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <param name="Message">A new instance, which is the handler's own.</param>
/// <param name="Context">Where the message comes from, and how often it was delivered.</param>
public readonly record struct QueueDelivery<T>(T Message, MessageContext Context);
