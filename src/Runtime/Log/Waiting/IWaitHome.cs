namespace BlitQueue.Log;

/// <summary>A thread that looks after the wake words of queues where calls wait.</summary>
internal interface IWaitHome
{
    /// <summary>Called inside of the lock of <see cref="WaitThread"/>.</summary>
    void Remove(AsyncWaitQueue queue);

    /// <summary>Has it look at its queues again. Called inside of that lock.</summary>
    void Wake();
}
