namespace BlitQueue.Bench.Messages;

/// <summary>What the measuring loops want of a message.</summary>
/// <remarks>
/// The members are static because the JIT inlines those through generic code where a loop is compiled for
/// one message; instance members it calls.
/// </remarks>
internal interface IBenchMessage<T> : IPackable<T> where T : class
{
    /// <summary>Makes a message of so many bytes, characters or lines, which hold what <see cref="Check"/> expects.</summary>
    /// <param name="size">How many.</param>
    /// <param name="variant">Messages with texts have others for another variant, as long.</param>
    static abstract T Create(int size, int variant = 0);

    /// <summary>Gives a message its number.</summary>
    static abstract void Stamp(T message, long number);

    /// <summary>A message's number.</summary>
    /// <exception cref="InvalidDataException">The message is not whole.</exception>
    static abstract long Check(T message);
}
