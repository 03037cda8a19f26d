namespace BlitQueue.Bench.Messages;

/// <summary>What the measuring loops want of a message.</summary>
internal interface IBenchMessage<T> : IPackable<T> where T : class
{
    /// <summary>Makes a message of so many bytes, filled with <see cref="Pattern"/>.</summary>
    static abstract T Create(int size);

    /// <summary>Gives the message its number.</summary>
    void Stamp(long number);

    /// <summary>The message's number.</summary>
    /// <exception cref="InvalidDataException">The message is not whole.</exception>
    long Check();
}
