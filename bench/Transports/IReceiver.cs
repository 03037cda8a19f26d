namespace BlitQueue.Bench.Links;

/// <summary>The receiving end of a link.</summary>
internal interface IReceiver : IDisposable
{
    /// <summary>Waits for a message.</summary>
    /// <returns>Its number.</returns>
    /// <exception cref="InvalidDataException">The message is not whole.</exception>
    long Receive();
}
