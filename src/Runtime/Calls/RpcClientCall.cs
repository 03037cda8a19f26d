using System.Diagnostics;
using System.Threading.Tasks.Sources;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>One open call, as its client sees it.</summary>
/// <param name="client">The client.</param>
internal class RpcClientCall(RpcClientCore client)
{
    private readonly Lock _sync = new();
    private ManualResetValueTaskSourceCore<bool> _signal = new() { RunContinuationsAsynchronously = true };
    private RpcOutcome _outcome;
    private ScratchBytes? _outgoing, _incoming;
    private int _outgoingLength, _incomingLength, _sent, _received;
    private bool _isRead, _hasAnswer;

    public RpcClientCore Client => client;

    /// <summary>The cell.</summary>
    public int Index { get; set; }

    public RpcCallWords Words { get; set; }

    public int Marks { get; set; }

    /// <summary>Milliseconds since the system's start; <see cref="long.MaxValue"/> for none.</summary>
    public long Deadline { get; set; }

    /// <summary>When it began, by <see cref="Stopwatch"/>.</summary>
    public long Began { get; set; }

    /// <summary>How many servers had gone when it began.</summary>
    public long ServersGone { get; set; }

    /// <summary>How many servers may still take it.</summary>
    public int Attempts { get; set; }

    /// <summary>Whether a server may have taken it.</summary>
    public volatile bool IsQueued;

    public CancellationToken Token { get; set; }

    public CancellationTokenRegistration Registration { get; set; }

    public Activity? Span { get; set; }

    /// <summary>The server that had it when it ended without an answer; 0 for none.</summary>
    public long Server { get; private set; }

    public RpcOutcome Outcome => _outcome;

    private bool IsStream => (Marks & RpcFormat.Stream) != 0;

    /// <summary>Whether the caller can go on: there is an answer, or there will be none. Once true, it stays so.</summary>
    public bool IsOver => _outcome != RpcOutcome.None || _hasAnswer
        || (RpcCell<MachineMemory>.IsAnswer(Words.Cell.Word) && !IsReplyLong && (_hasAnswer = true));

    // A long reply that is not wholly here.
    private bool IsReplyLong => !IsStream && ReplyLength is var length && length > Words.Reply.Size && _received < length;

    // Once a long reply has begun, its length is what it was then.
    private long ReplyLength => _incoming is null ? MachineMemory.Load(ref Words.ReplyLength) : _incomingLength;

    /// <summary>Whether a long request or reply is under way.</summary>
    public bool IsMoving => _outgoing is not null || _incoming is not null;

    /// <summary>Whether <see cref="MoveBytes"/> has something to do.</summary>
    public bool HasBytesToMove => (_outgoing is not null && Words.Request.Space > 0) || (IsReplyLong && Words.Reply.Waiting > 0);

    /// <summary>The request does not fit: the rest follows while the server reads.</summary>
    public void Follow(ReadOnlySpan<byte> request)
    {
        _outgoing = ScratchBytes.Rent(request.Length);
        _outgoingLength = request.Length;
        request.CopyTo(_outgoing.GetSpan());
        MoveBytes();
    }

    /// <summary>Whether a part of the request is still to be written, and is wanted.</summary>
    public bool HasRest => _outgoing is not null && !IsOver;

    /// <summary>Whether another server could read the request again.</summary>
    public bool IsRequestWhole => _outgoingLength == 0;

    /// <summary>Writes more of a long request, and reads more of a long reply.</summary>
    /// <returns>Whether there was anything.</returns>
    public bool MoveBytes()
    {
        bool hasMoved = false;
        lock (_sync)
        {
            if (_outcome != RpcOutcome.None || _isRead)
            {
                return false;
            }
            while (_outgoing is not null)
            {
                int count = Words.Request.Write(_outgoing.GetSpan()[_sent.._outgoingLength]);
                if (count == 0)
                {
                    break;
                }
                hasMoved = true;
                _sent += count;
                if (_sent == _outgoingLength)
                {
                    ((IDisposable)_outgoing).Dispose();
                    _outgoing = null;
                }
                client.WakeServers();
            }
            while (IsReplyLong && TryReceive())
            {
                hasMoved = true;
                client.WakeServers();
            }
        }
        return hasMoved;
    }

    // Inside of the lock.
    private bool TryReceive()
    {
        if (_incoming is null)
        {
            long length = ReplyLength;
            if (length > RpcLimits.LongestMessage)
            {
                _outcome = RpcOutcome.Corrupt;
                return false;
            }
            // Before the bytes are there: who looks without the lock reads it then.
            _incomingLength = (int)length;
            try
            {
                _incoming = ScratchBytes.Rent(_incomingLength);
            }
            catch (OutOfMemoryException)
            {
                _outcome = RpcOutcome.NoMemory;
                return false;
            }
        }
        int count = Words.Reply.Read(_incoming.GetSpan()[_received.._incomingLength]);
        _received += count;
        return count > 0;
    }

    /// <summary>The packed reply.</summary>
    public ReadOnlySpan<byte> Reply
    {
        get
        {
            RpcPipe pipe = Words.Reply;
            return _incoming is not null ? _incoming.GetSpan()[.._incomingLength]
                : pipe.Whole[..(int)Math.Clamp(ReplyLength, 0, pipe.Size)];
        }
    }

    /// <summary>Ends the call without an answer, unless it has one, or has ended.</summary>
    /// <returns>Whether it has ended by this.</returns>
    public bool TryGiveUp(RpcOutcome outcome)
    {
        lock (_sync)
        {
            if (_outcome != RpcOutcome.None || _isRead || !Words.Cell.TryGiveUp(out long server))
            {
                return false;
            }
            (_outcome, Server) = (outcome, server);
        }
        if (Server != 0)
        {
            FailPoint.Reach(ProtocolStep.CallAbandoned);
        }
        return true;
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
            if (_outcome != RpcOutcome.None || _isRead || Words.Cell.Word != taken)
            {
                return false;
            }
            isQueuedAgain = Attempts > 1 && IsRequestWhole && !IsStream;
            if (isQueuedAgain)
            {
                Attempts--;
                Words.ClearAnswer();
                ((IDisposable?)_incoming)?.Dispose();
                (_incoming, _received) = (null, 0);
            }
            if (Words.Cell.TryLose(taken, isQueuedAgain) && !isQueuedAgain)
            {
                (_outcome, Server) = (RpcOutcome.Lost, RpcFormat.ServerOf(taken));
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
            if (_outcome != RpcOutcome.None || _isRead || !IsQueued)
            {
                return false;
            }
            RpcState state = Words.Cell.State;
            if (state is RpcState.Queued or RpcState.Taken)
            {
                return false;
            }
            // An answer's bytes come before it.
            if (state is RpcState.Replied or RpcState.Faulted && (!IsReplyLong || Words.Reply.Waiting > 0))
            {
                return false;
            }
            _outcome = RpcOutcome.Corrupt;
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

    /// <summary>Gives scratch memory back. From now on the cell may be another call's.</summary>
    public void Clear()
    {
        lock (_sync)
        {
            _isRead = true;
            ((IDisposable?)_outgoing)?.Dispose();
            ((IDisposable?)_incoming)?.Dispose();
            (_outgoing, _incoming) = (null, null);
        }
    }

    /// <summary>For a source of a task: what it is told with each question.</summary>
    protected short Version => _signal.Version;

    /// <summary>For a source of a task: how it stands.</summary>
    protected ValueTaskSourceStatus Status =>
        client.IsOver(this) ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Pending;

    /// <summary>For a source of a task: what goes on when the call is over.</summary>
    protected void GoOn(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _signal.OnCompleted(continuation, state, token, flags);
        client.Attend(this);
    }

    /// <summary>The call is over, and the client has taken it from those that it attends to.</summary>
    public void Signal() => _signal.SetResult(true);
}
