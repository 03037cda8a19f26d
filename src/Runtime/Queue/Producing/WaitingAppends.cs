using BlitQueue.Log;

namespace BlitQueue;

/// <summary>
/// The asynchronous enqueues of one handle that could not append at once. One at a time tries, in the order of the calls: so a later call
/// never overtakes an earlier one that waits for a segment, for room or for the append lock.
/// </summary>
internal sealed class WaitingAppends
{
    private readonly LinkedList<TaskCompletionSource> _line = [];
    private volatile int _count;

    /// <summary>Whether any call is in the line. A call that finds it empty may append at once.</summary>
    public bool Any => _count > 0;

    /// <summary>
    /// How long the append lock has made no progress; used by the first call of the line. The calls behind it go on with the same watch:
    /// where the holder is stopped, each would otherwise wait for the whole patience, one after the other.
    /// </summary>
    public required StallWatch Stall { get; init; }

    /// <summary>Puts a call at the end of the line. Its caller must call <see cref="Leave"/> however the call ends.</summary>
    public LinkedListNode<TaskCompletionSource> Enter()
    {
        lock (_line)
        {
            if (_line.Count == 0)
            {
                Stall.End();
            }
            // The next call's code would otherwise run inside of Leave.
            var mayTry = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            LinkedListNode<TaskCompletionSource> entry = _line.AddLast(mayTry);
            _count = _line.Count;
            LetFirstTry();
            return entry;
        }
    }

    /// <summary>Takes a call out of the line, and lets the next one try if it was the first.</summary>
    public void Leave(LinkedListNode<TaskCompletionSource> entry)
    {
        lock (_line)
        {
            _line.Remove(entry);
            _count = _line.Count;
            LetFirstTry();
        }
    }

    private void LetFirstTry() => _line.First?.Value.TrySetResult();
}
