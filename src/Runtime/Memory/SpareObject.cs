namespace BlitQueue.Memory;

/// <summary>One object that is not in use, for the next who needs one: any thread takes it, and any thread gives one.</summary>
internal sealed class SpareObject<T>
    where T : class
{
    private T? _spare;

    /// <returns>null if there is none.</returns>
    public T? Take() => Interlocked.Exchange(ref _spare, null);

    /// <summary>Publishes all that the calling thread has written to the object, which is not its own any more.</summary>
    public void Give(T spare) => Volatile.Write(ref _spare, spare);
}
