namespace BlitQueue.Bench.Messages;

/// <summary>What the measuring loops want of a message.</summary>
internal interface IBenchMessage<T> : IPackable<T> where T : class
{
    /// <summary>Makes a message of so many bytes, characters or lines, which hold what <see cref="Check"/> expects.</summary>
    /// <param name="size">How many.</param>
    /// <param name="variant">Messages with texts have others for another variant, as long.</param>
    static abstract T Create(int size, int variant = 0);

    /// <summary>Gives the message its number.</summary>
    void Stamp(long number);

    /// <summary>The message's number.</summary>
    /// <exception cref="InvalidDataException">The message is not whole.</exception>
    long Check();
}
