using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>
/// One call's word, which alone decides what becomes of the call. docs/decisions/0014-calls.md has all its changes in one table.
/// </summary>
/// <param name="word">The word.</param>
internal readonly struct RpcCell<TMem>(SharedWord<long> word)
    where TMem : struct, ISharedMemory
{
    private readonly SharedWord<long> _word = word;

    /// <summary>State and server.</summary>
    public long Word
    {
        // SYNC POINT call: acquires the answer, where there is one.
        get => TMem.Load(ref _word.Value);
    }

    public RpcState State => RpcFormat.StateOf(Word);

    /// <summary>Whether the server has ended the call.</summary>
    public static bool IsAnswer(long word) =>
        RpcFormat.StateOf(word) is RpcState.Replied or RpcState.Faulted or RpcState.Late or RpcState.Dropped;

    /// <summary>By the client, which has written the request: any server may take it.</summary>
    public void Queue()
    {
        long now = Word;
        if (IsFreeAt(now))
        {
            // SYNC POINT call: publishes the request. SYNC POINT call hint: a full fence, in front of the look at the hints.
            TMem.CompareExchange(ref _word.Value, RpcFormat.Word(RpcState.Queued), now);
        }
        // Else another process has written over the word of a free cell: the watch ends the call, or a server takes it.
    }

    /// <summary>By a server: the call is its own from now on.</summary>
    /// <returns>false if another has it, or the client has given it up.</returns>
    public bool TryTake(long server)
    {
        long queued = RpcFormat.Word(RpcState.Queued);
        // SYNC POINT call: acquires the request.
        return TMem.CompareExchange(ref _word.Value, RpcFormat.Word(RpcState.Taken, server), queued) == queued;
    }

    /// <summary>By the server that has the call, when it does not touch its memory any more.</summary>
    /// <param name="server">Its owner word.</param>
    /// <param name="answer">What the answer is.</param>
    /// <returns>false if the client has given the call up.</returns>
    public bool TryAnswer(long server, RpcState answer)
    {
        long taken = RpcFormat.Word(RpcState.Taken, server);
        // SYNC POINT call: publishes the answer.
        long found = TMem.CompareExchange(ref _word.Value, RpcFormat.Word(answer, server), taken);
        if (found == taken)
        {
            return true;
        }
        // The client changes an abandoned word only when this server is dead.
        if (found == RpcFormat.Word(RpcState.Abandoned, server))
        {
            // SYNC POINT call: all that this server wrote comes before.
            TMem.Store(ref _word.Value, RpcFormat.Word(RpcState.Over));
        }
        return false;
    }

    /// <summary>By the client: the call is over, whether or not a server has it.</summary>
    /// <param name="server">The server that has it and did not know yet; 0 if none has seen it.</param>
    /// <returns>false if the answer came first.</returns>
    public bool TryGiveUp(out long server)
    {
        for (; ; )
        {
            long now = Word;
            server = RpcFormat.ServerOf(now);
            switch (RpcFormat.StateOf(now))
            {
                case RpcState.Queued when TMem.CompareExchange(ref _word.Value, RpcFormat.Word(RpcState.Free), now) == now:
                case RpcState.Taken
                    when TMem.CompareExchange(ref _word.Value, RpcFormat.Word(RpcState.Abandoned, server), now) == now:
                    return true;
                case RpcState.Queued or RpcState.Taken:
                    continue;
                default:
                    return false;
            }
        }
    }

    /// <summary>By the client: no server is to take the call any more.</summary>
    /// <returns>false if one has taken it: this exchange is what says that none has.</returns>
    public bool TryWithdraw()
    {
        long queued = RpcFormat.Word(RpcState.Queued);
        return TMem.CompareExchange(ref _word.Value, RpcFormat.Word(RpcState.Free), queued) == queued;
    }

    /// <summary>By the client: the server that had the call is dead.</summary>
    /// <param name="taken">The word that names it.</param>
    /// <param name="isQueuedAgain">Whether another server may take the call, or it is over.</param>
    /// <returns>false if the word is another one by now: the server had answered before it died.</returns>
    public bool TryLose(long taken, bool isQueuedAgain)
    {
        long next = RpcFormat.Word(isQueuedAgain ? RpcState.Queued : RpcState.Free);
        return TMem.CompareExchange(ref _word.Value, next, taken) == taken;
    }

    /// <summary>
    /// By the client, when it has read the answer or needs none: whether the cell can be used again. The word stays as it is until then,
    /// because its line is the server's, which looks for the next call.
    /// </summary>
    public bool IsFree => IsFreeAt(Word);

    // No server has the memory, or may take it.
    private static bool IsFreeAt(long word) =>
        RpcFormat.StateOf(word) is not (RpcState.Abandoned or RpcState.Taken or RpcState.Queued);
}
