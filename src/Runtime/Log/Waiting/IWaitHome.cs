namespace BlitQueue.Log;

/// <summary>A thread that watches the wake words of queues for which calls wait.</summary>
internal interface IWaitHome
{
    /// <summary>Stops watching a queue's word. Called inside the lock of <see cref="WaitThread"/>.</summary>
    void Remove(AsyncWaitQueue queue);

    /// <summary>Makes the thread look at its queues again. Called inside the same lock.</summary>
    void Wake();
}
