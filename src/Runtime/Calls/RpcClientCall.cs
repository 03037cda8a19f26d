using System.Threading.Tasks.Sources;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>One open call, as its client sees it.</summary>
/// <param name="client">The client.</param>
internal class RpcClientCall(RpcClientCore client)
{
    // At most 64 KiB each.
    private const int PiecesAtOnce = 16;

    private readonly Lock _sync = new();
    private ManualResetValueTaskSourceCore<bool> _signal = new() { RunContinuationsAsynchronously = true };
    private volatile RpcEnding? _ending;
    private long _lost;
    private PackedBytes? _outgoing, _incoming;
    private int _outgoingLength, _incomingLength, _sent, _received, _looksOver, _looksWaiting;
    private bool _isRead, _hasAnswer, _isTold;

    // The answer is out of the cell, which may be another call's: the reply's bytes, or an exception.
    private bool _isOut;
    private byte[]? _reply;
    private Exception? _failure;

    public RpcClientCore Client => client;

    /// <summary>The cell.</summary>
    public int Index { get; set; }

    public RpcCallWords Words { get; set; }

    public int Marks { get; set; }

    /// <summary>Where its bytes are.</summary>
    public RpcFormat.BlockPair Blocks { get; set; }

    /// <summary>Bytes of the packed request.</summary>
    public int RequestLength { get; set; }

    /// <summary>Which call of the client it is.</summary>
    public long Number { get; set; }

    /// <summary>As <see cref="RpcFormat.Milliseconds"/>; <see cref="long.MaxValue"/> for none.</summary>
    public long Deadline { get; set; }

    /// <summary>How long its caller waits.</summary>
    public TimeSpan Timeout { get; set; }

    /// <summary>When it was queued, by <see cref="Stopwatch"/>.</summary>
    public long Began { get; set; }

    /// <summary>When its caller found that it is over; 0 where it has not looked at the clock then.</summary>
    public long Ended { get; set; }

    /// <summary>How many servers had gone when it began.</summary>
    public long ServersGone { get; set; }

    /// <summary>How many servers may still take it.</summary>
    public int Attempts { get; set; }

    /// <summary>Whether a server may have taken it.</summary>
    public volatile bool IsQueued;

    /// <summary>Whether its caller does nothing more before it waits.</summary>
    public volatile bool IsBegun;

    /// <summary>Whether a task waits for the call, and the pump has it end; guarded by the client's lock.</summary>
    public bool IsAttended { get; set; }

    /// <summary>Whether the pump has ended it, or will: it is told once; guarded by the client's lock.</summary>
    public bool WasAttended { get; set; }

    /// <summary>
    /// Whether another thread than the caller's has found it among the open calls, and may still look at it; guarded by the client's lock.
    /// </summary>
    public bool WasFound { get; set; }

    public CancellationToken Token { get; set; }

    public CancellationTokenRegistration Registration { get; set; }

    public QueueSpan Span { get; set; }

    /// <summary>How it ended without an answer; null if it has one, or is open.</summary>
    public RpcEnding? Ending => _ending;

    /// <summary>The dead server that had taken it before it was queued again; 0 for none.</summary>
    public long LostServer => _lost;

    private bool IsStream => (Marks & RpcFormat.Stream) != 0;

    /// <summary>Whether the caller can go on: there is an answer, or there will be none. Once true, it stays so.</summary>
    /// <remarks>The word of a cell is that of its call only once that is queued. Before it may be the answer of the call before.</remarks>
    public bool IsOver => _ending is not null || _hasAnswer || (IsQueued && IsAnswered(Words.Cell.Word) && (_hasAnswer = true));

    // Of an answer that is no reply, only the word counts: the server may have begun a long reply before it.
    private bool IsAnswered(long word) =>
        RpcCell<MachineMemory>.IsAnswer(word) && (RpcFormat.StateOf(word) != RpcState.Replied || !IsReplyLong);

    // Neither over for good nor read: guarded by the lock.
    private bool IsOpen => _ending is null && !_isRead && !_isOut;

    // A long reply that is not wholly here.
    private bool IsReplyLong => !IsStream && ReplyLength is var length && length > Words.Reply.Size && _received < length;

    // Once a long reply has begun, its length is what it was then.
    private long ReplyLength => _incoming is null ? MachineMemory.Load(ref Words.ReplyLength) : _incomingLength;

    /// <summary>Whether a long request or reply is under way.</summary>
    public bool IsMoving => _outgoing is not null || _incoming is not null;

    /// <summary>Whether <see cref="MoveBytes"/> has something to do.</summary>
    public bool HasBytesToMove => (_outgoing is not null && Words.Request.Space > 0) || (IsReplyLong && Words.Reply.Waiting > 0);

    /// <summary>The request does not fit: the rest follows while the server reads.</summary>
    /// <param name="request">The packed request, which is the call's from now on.</param>
    public void Follow(PackedBytes request)
    {
        (_outgoing, _outgoingLength) = (request, request.Length);
        MoveBytes();
    }

    /// <summary>Whether a part of the request is still to be written, and is wanted.</summary>
    public bool HasRest => _outgoing is not null && !IsOver;

    /// <summary>Whether another server could read the request again.</summary>
    public bool IsRequestWhole => _outgoingLength == 0;

    /// <summary>Writes more of a long request, and reads more of a long reply: not more than the other calls can wait for.</summary>
    /// <returns>Whether there was anything.</returns>
    public bool MoveBytes()
    {
        int pieces = 0;
        while (pieces < PiecesAtOnce && TryMovePiece())
        {
            pieces++;
        }
        return pieces > 0;
    }

    // The lock is released between two pieces: a token that is cancelled, and the watch, do not wait for all of a long message.
    private bool TryMovePiece()
    {
        lock (_sync)
        {
            if (!IsOpen || !(TrySend() || (IsReplyLong && TryReceive())))
            {
                return false;
            }
        }
        client.WakeServers();
        return true;
    }

    // Inside of the lock.
    private bool TrySend()
    {
        if (_outgoing is null)
        {
            return false;
        }
        int count = Words.Request.Write(_outgoing.Span[_sent..]);
        _sent += count;
        if (_sent == _outgoing.Length)
        {
            _outgoing.Dispose();
            _outgoing = null;
        }
        return count > 0;
    }

    // Inside of the lock.
    private bool TryReceive()
    {
        if (_incoming is null && !TryBeginReceiving())
        {
            return false;
        }
        int count = Words.Reply.Read(_incoming!.Span[_received..]);
        _received += count;
        return count > 0;
    }

    private bool TryBeginReceiving()
    {
        long length = ReplyLength;
        if (length > RpcLimits.LongestMessage)
        {
            _ending = new RpcEnding(RpcOutcome.Corrupt);
            return false;
        }
        // Before the bytes are there: who looks without the lock reads it then.
        _incomingLength = (int)length;
        try
        {
            _incoming = PackedBytes.Rent(_incomingLength);
            return true;
        }
        catch (OutOfMemoryException)
        {
            _ending = new RpcEnding(RpcOutcome.NoMemory);
            return false;
        }
    }

    /// <summary>The packed reply.</summary>
    public ReadOnlySpan<byte> Reply => _reply is not null ? _reply
        : _incoming is not null ? _incoming.Span : InPlace(Words.Reply.Size);

    /// <summary>Why there is no reply, as its caller's exception; null if there is one. The call is over.</summary>
    public Exception? Failure
    {
        get
        {
            if (_isOut)
            {
                return _failure;
            }
            if (_ending is { } ending)
            {
                return client.FailureOf(this, ending);
            }
            long word = Words.Cell.Word;
            return RpcFormat.StateOf(word) == RpcState.Replied ? null : client.FaultOf(this, word);
        }
    }

    /// <summary>
    /// Takes the answer out of a cell, which is free for another call then: for a caller that awaits its call later, or never.
    /// </summary>
    /// <param name="failure">The exception that there is instead of a reply; null for a reply.</param>
    /// <returns>false if the call is not over, or its caller reads the answer.</returns>
    public bool TryTakeOut(out Exception? failure)
    {
        lock (_sync)
        {
            failure = null;
            if (_isRead || _isOut || !IsOver)
            {
                return false;
            }
            failure = Failure ?? CopyReply();
            (_failure, _isOut) = (failure, true);
            GiveScratchBack();
            return true;
        }
    }

    // Inside of the lock. An array, because the caller may never give it back.
    private Exception? CopyReply()
    {
        try
        {
            _reply = Reply.ToArray();
            return null;
        }
        catch (OutOfMemoryException)
        {
            return client.FailureOf(this, new RpcEnding(RpcOutcome.NoMemory));
        }
    }

    /// <summary>The server's text of a fault: where the reply would be, or where the request was.</summary>
    public ReadOnlySpan<byte> Fault => MachineMemory.Load(ref Words.ReplyLength) is var length && length < 0
        ? Words.Request.Whole[..(int)Math.Min(-Math.Max(length, -int.MaxValue), RpcFault.LongestFault)]
        : InPlace(RpcFault.LongestFault);

    private Span<byte> InPlace(int most) => Words.Reply.Whole[..(int)Math.Clamp(MachineMemory.Load(ref Words.ReplyLength), 0, most)];

    /// <summary>Ends the call without an answer, unless it has one, or has ended.</summary>
    /// <returns>Whether it has ended by this.</returns>
    public bool TryGiveUp(RpcOutcome outcome)
    {
        long server;
        lock (_sync)
        {
            if (!IsOpen || !Words.Cell.TryGiveUp(out server))
            {
                return false;
            }
            _ending = server == 0 ? new RpcEnding(outcome, _lost, IsServerDead: _lost != 0) : new RpcEnding(outcome, server);
        }
        if (server != 0)
        {
            FailPoint.Reach(ProtocolStep.CallAbandoned);
        }
        return true;
    }

    /// <summary>Ends the call where there is no server, unless one has taken it.</summary>
    /// <returns>Whether it has ended by this.</returns>
    public bool TryWithdraw()
    {
        lock (_sync)
        {
            if (!IsOpen || !Words.Cell.TryWithdraw())
            {
                return false;
            }
            _ending = new RpcEnding(RpcOutcome.Lost);
            return true;
        }
    }

    /// <summary>The server that had the call is dead: another may take it, or it is over.</summary>
    /// <param name="taken">The word that names it.</param>
    /// <param name="isQueuedAgain">Whether another may take it.</param>
    /// <returns>Whether the word was still that.</returns>
    public bool TryLose(long taken, out bool isQueuedAgain)
    {
        lock (_sync)
        {
            isQueuedAgain = false;
            // Nothing but this client changes a word that names a dead server.
            if (!IsOpen || Words.Cell.Word != taken)
            {
                return false;
            }
            isQueuedAgain = Attempts > 1 && IsRequestWhole && !IsStream;
            if (isQueuedAgain)
            {
                Attempts--;
                _lost = RpcFormat.ServerOf(taken);
                Words.ClearAnswer();
                _incoming?.Dispose();
                (_incoming, _received) = (null, 0);
            }
            if (Words.Cell.TryLose(taken, isQueuedAgain) && !isQueuedAgain)
            {
                _ending = new RpcEnding(RpcOutcome.Lost, RpcFormat.ServerOf(taken), IsServerDead: true);
            }
            return true;
        }
    }

    /// <summary>Ends the call where its words cannot be a server's: a process has written over them.</summary>
    /// <returns>Whether it has ended by this.</returns>
    public bool TryRefuse()
    {
        lock (_sync)
        {
            // In front of the look at the word: what it was before the call was queued says nothing about the call.
            if (!IsOpen || !IsQueued)
            {
                return false;
            }
            long word = Words.Cell.Word;
            // An answer's bytes come before it.
            if (word == RpcFormat.Word(RpcState.Queued) || RpcFormat.StateOf(word) == RpcState.Taken
                || IsAnswered(word) || (RpcFormat.StateOf(word) == RpcState.Replied && Words.Reply.Waiting > 0))
            {
                return false;
            }
            _ending = new RpcEnding(RpcOutcome.Corrupt);
            return true;
        }
    }

    /// <summary>No call is given up from now on: its caller reads the answer.</summary>
    /// <exception cref="InvalidOperationException">It was read already, or is not over.</exception>
    public void BeginReading()
    {
        lock (_sync)
        {
            if (_isRead || !IsOver)
            {
                throw new InvalidOperationException("A call's result can be read once, when the call is over.");
            }
            _isRead = true;
        }
    }

    /// <summary>The same where the client is disposed, or the call is to end without reading.</summary>
    /// <returns>false if another caller has begun to read, and ends the call.</returns>
    public bool TryBeginEnd()
    {
        lock (_sync)
        {
            bool isMine = !_isRead;
            _isRead = true;
            return isMine;
        }
    }

    /// <summary>By the watch: how many of its looks have found the call over, with this one.</summary>
    public int CountLook() => IsOver ? ++_looksOver : 0;

    /// <summary>By the watch: how many of its looks have found bytes of a long reply that are not read, with this one.</summary>
    public int CountWaiting() => HasBytesToMove ? ++_looksWaiting : 0;

    /// <summary>Whether listeners are to be told of the call's end: true once.</summary>
    public bool TryBeginTelling()
    {
        lock (_sync)
        {
            bool isFirst = !_isTold;
            _isTold = true;
            return isFirst;
        }
    }

    /// <summary>Gives scratch memory back. From now on the cell may be another call's.</summary>
    public void Clear()
    {
        if (!_isRead)
        {
            lock (_sync)
            {
                _isRead = true;
            }
        }
        // From now on no other thread looks at more than that it was read.
        GiveScratchBack();
    }

    /// <summary>
    /// Makes it like new, by the thread that has called and read the reply, where no other thread can know of it.
    /// </summary>
    /// <returns>false if another may, or if more was done than calls of most requests do.</returns>
    public bool TryRenew()
    {
        if (WasFound || WasAttended || Token.CanBeCanceled || Span.Activity is not null || _ending is not null || _lost != 0
            || (_outgoingLength | _incomingLength) != 0)
        {
            return false;
        }
        // What is not named here is set when the next call begins, or was not changed.
        (IsQueued, IsBegun, Ended) = (false, false, 0);
        (_isRead, _hasAnswer, _isTold) = (false, false, false);
        return true;
    }

    // Inside of the lock, or by the caller that reads the answer.
    private void GiveScratchBack()
    {
        _outgoing?.Dispose();
        _incoming?.Dispose();
        (_outgoing, _incoming) = (null, null);
    }

    /// <summary>For a source of a task: what it is told with each question.</summary>
    protected short Version => _signal.Version;

    /// <summary>For a source of a task: how it stands.</summary>
    protected ValueTaskSourceStatus Status =>
        client.IsOver(this, spins: true) ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Pending;

    /// <summary>For a source of a task: what goes on when the call is over.</summary>
    protected void GoOn(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _signal.OnCompleted(continuation, state, token, flags);
        client.Attend(this);
    }

    /// <summary>The call is over, and the client has taken it from those that it attends to.</summary>
    public void Signal() => _signal.SetResult(true);
}
