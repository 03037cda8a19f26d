namespace BlitQueue.Log;

/// <summary>A thread that looks after the wake words of places where calls wait.</summary>
internal interface IWaitHome
{
    /// <summary>Called inside of the lock of <see cref="WaitThread"/>.</summary>
    void Remove(AsyncWaitQueue place);

    /// <summary>Has it look at its places again. Called inside of that lock.</summary>
    void Wake();
}
