using BlitQueue.Calls;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>A call as its handler sees it. Not to be used after the handler has ended.</summary>
public sealed class RpcContext
{
    private readonly RpcServerCore _server;
    private readonly Lock _sync = new();
    private CancellationTokenSource? _source;
    private volatile bool _isEnded = true;
    private bool _isCancelled, _isAnswered;

    // A part of a stream's reply is there. The client takes what follows for the rest of it.
    private bool _isInsideOfItem;
    private long _deadline;
    private int _marks, _cell;
    private RpcFormat.BlockPair _blocks;

    // Bytes of the reply were sent. The client reads those of a stream whatever comes behind them.
    private bool _hasBegunReply;

    // The client's words name a block that has no memory: no byte of it is touched.
    private bool _hasNoBytes;

    // Whether the thread that has taken the call may spin for its client. What goes on without a thread does not.
    private bool _isOnThread;

    // Of a call that has left its thread: the request, once it is whole.
    private PackedBytes? _received;

    // What was current on the thread in front of the call's span.
    private Activity? _outer;

    internal RpcContext(RpcServerCore server, bool blocks) => (_server, Blocks) = (server, blocks);

    /// <summary>Whether a thread of the server waits for calls, and answers them; else tasks do.</summary>
    internal bool Blocks { get; }

    /// <summary>
    /// Cancelled when the client gives the call up, when its time is over, when the client is dead, and when the server is disposed; as a
    /// rule within 0.1 s.
    /// </summary>
    public CancellationToken CancellationToken
    {
        get
        {
            lock (_sync)
            {
                if (_source is null)
                {
                    _source = new CancellationTokenSource();
                    if (_isCancelled)
                    {
                        _source.Cancel();
                    }
                }
                return _source.Token;
            }
        }
    }

    /// <summary>Whether the call is cancelled: a look at the client's word, at once, for handlers that compute for long.</summary>
    public bool IsCancelled => _isCancelled || _isEnded || _server.IsGivenUp(this);

    /// <summary>When the client's time is over; null where it waits without end.</summary>
    public DateTimeOffset? Deadline => TimeLeft is { } left ? DateTimeOffset.UtcNow + left : null;

    /// <summary>How long the client still waits; zero if its time is over, null where it waits without end.</summary>
    public TimeSpan? TimeLeft =>
        _deadline == 0 ? null : TimeSpan.FromMilliseconds(Math.Max(0, _deadline - RpcFormat.Milliseconds));

    /// <summary>Whether nothing is sent back.</summary>
    public bool IsOneWay => (_marks & RpcFormat.OneWay) != 0;

    /// <summary>Whether the client expects a stream of replies.</summary>
    public bool IsStream => (_marks & RpcFormat.Stream) != 0;

    /// <summary>The number of the call, which its client counts from 1 on.</summary>
    public long Number { get; private set; }

    /// <summary>The process of the client; null where nothing says so.</summary>
    public int? ClientProcessId => File.ProcessId;

    /// <summary>The client's file.</summary>
    internal RpcCallFile File { get; private set; } = null!;

    /// <summary>The index among the running calls of the server, guarded by its lock; negative if it is none of them.</summary>
    internal int RunningIndex { get; set; } = -1;

    internal long Began { get; private set; }

    internal QueueSpan Span { get; private set; }

    private RpcCallWords Words { get; set; }

    /// <summary>Tells the calls apart that one context is used for.</summary>
    internal long Version { get; private set; }

    /// <summary>Whether the client's time is over.</summary>
    internal bool IsLate => _deadline != 0 && RpcFormat.Milliseconds >= _deadline;

    /// <summary>Whether it was over when the call was taken; for a task, whether it is.</summary>
    internal bool IsTakenLate => Blocks ? _deadline != 0 && RpcFormat.MillisecondsOf(Began) >= _deadline : IsLate;

    /// <summary>Begins with a call that was just taken. The caller is inside of the gate, and of the server's lock.</summary>
    internal void Begin(RpcCallFile file, int cell, long now)
    {
        Began = now;
        RpcCallWords words = file[cell];
        _blocks = RpcFormat.BlockPair.Of(words.Blocks, file.Blocks);
        words = words.With(_blocks);
        (File, Words, _marks, _cell) = (file, words, words.Marks, cell);
        Number = MachineMemory.Read(ref words.Number);
        // Another process wrote it: what is left is a time that can be told.
        _deadline = Math.Clamp(MachineMemory.Read(ref words.Deadline), 0, RpcFormat.MillisecondsOf(Began) + int.MaxValue);
        (_isCancelled, _isAnswered, _source) = (false, false, null);
        (_hasBegunReply, _isInsideOfItem, _hasNoBytes) = (false, false, false);
        _isOnThread = Blocks;
        Version++;
        // Last, and without the lock: a thread that cancels the call before looks at this first, and then at the version.
        _isEnded = false;
    }

    /// <summary>Begins the span of the call, in the flow that ends it.</summary>
    internal void BeginSpan()
    {
        if (QueueTracing.IsOn)
        {
            using CallGate.Call inside = _server.Gate.Enter();
            _outer = Activity.Current;
            Span = QueueTracing.StartAnswer(_server.Path, (_marks & RpcFormat.Traced) != 0 ? RpcTrace.Read(Words.Trace) : default);
        }
    }

    /// <summary>Whether a request is whole that has come without a thread.</summary>
    internal bool HasReceived => _received is not null;

    /// <summary>The request is whole. The context is the next thread's.</summary>
    internal void SetReceived(PackedBytes request) => _received = request;

    /// <summary>The request, which the caller disposes.</summary>
    internal PackedBytes TakeReceived()
    {
        (PackedBytes request, _received) = (_received!, null);
        return request;
    }

    /// <summary>The call goes on without the thread: its span is not the thread's.</summary>
    internal void LeaveThread()
    {
        if (Span.Activity is not null)
        {
            Activity.Current = _outer;
        }
    }

    /// <summary>Goes on, on the calling thread, with a call whose request has come without one.</summary>
    /// <returns>false if it is no such call.</returns>
    /// <exception cref="OperationCanceledException">The client has given up.</exception>
    internal bool TryGoOn()
    {
        if (!HasReceived)
        {
            return false;
        }
        _isOnThread = true;
        if (Span.Activity is not null)
        {
            (_outer, Activity.Current) = (Activity.Current, Span.Activity);
        }
        RequireWanted();
        return true;
    }

    private void RequireWanted()
    {
        if (IsCancelled)
        {
            throw new OperationCanceledException("The client has given the call up.");
        }
    }

    /// <summary>
    /// Whether the handler's work is of no use any more. The caller is inside of the gate: if the call has not ended by then, the client's
    /// file stays mapped until the caller leaves the gate.
    /// </summary>
    internal bool IsGivenUp => _isEnded || (!_isAnswered && IsUnwanted);

    private bool IsUnwanted => File.IsDead || IsLate || RpcFormat.StateOf(Words.Cell.Word) == RpcState.Abandoned;

    /// <summary>Has the handler's token cancelled, unless the call is another one by now.</summary>
    internal void Cancel(long version)
    {
        lock (_sync)
        {
            if (_isEnded || _isCancelled || Version != version)
            {
                return;
            }
            _isCancelled = true;
            // What a handler has registered runs on the pool: the watch has other calls to look at.
            _ = _source?.CancelAsync();
        }
    }

    /// <summary>Unpacks a request that is there as a whole. The caller is inside of the gate.</summary>
    /// <returns>false if it is too long: <see cref="ReceiveAsync"/> reads it.</returns>
    /// <exception cref="PackException">The client's bytes are no request.</exception>
    /// <exception cref="QueueCorruptException">The client has no memory where its words say.</exception>
    internal bool TryReadRequest<TRequest>(ref TRequest? request)
        where TRequest : IPackable<TRequest>
    {
        if (!TryGetRequest(out ReadOnlySpan<byte> packed))
        {
            return false;
        }
        Packer.Unpack(packed, ref request);
        return true;
    }

    /// <summary>
    /// The packed request where it is, if it is there as a whole. The caller is inside of the gate; inside of it, or of
    /// <see cref="RpcServerCore.Reading"/>, while it reads it.
    /// </summary>
    /// <returns>false if it is too long: <see cref="ReceiveAsync"/> reads it.</returns>
    /// <exception cref="QueueCorruptException">The client has no memory where its words say.</exception>
    internal bool TryGetRequest(out ReadOnlySpan<byte> packed)
    {
        packed = default;
        if (!File.TryBack(_blocks.Request) || !File.TryBack(_blocks.Reply))
        {
            _hasNoBytes = true;
            throw new QueueCorruptException(
                _server.Path, 0, $"a call names blocks of its client ({_blocks.Request}, {_blocks.Reply}) that have no memory.");
        }
        long length = MachineMemory.Read(ref Words.RequestLength);
        RpcPipe pipe = Words.Request;
        if (length < 0 || length > pipe.Size)
        {
            return false;
        }
        packed = pipe.Whole[..(int)length];
        return true;
    }

    /// <summary>Reads a long request while the client writes it. The caller is not inside of the gate.</summary>
    /// <returns>The request, which the caller disposes.</returns>
    /// <exception cref="OperationCanceledException">The client has given up.</exception>
    internal async ValueTask<PackedBytes> ReceiveAsync()
    {
        var request = PackedBytes.Rent(RequireLength());
        bool isWhole = false;
        try
        {
            Func<bool, bool> look = _ => Look(forRequest: true);
            for (int read = 0; read < request.Length;)
            {
                int count = Receive(request.Span[read..]);
                read += count;
                if (count == 0)
                {
                    await AwaitAsync(look).ConfigureAwait(false);
                }
            }
            isWhole = true;
            return request;
        }
        finally
        {
            if (!isWhole)
            {
                request.Dispose();
            }
        }
    }

    private int RequireLength()
    {
        using CallGate.Call inside = _server.Gate.Enter();
        long length = MachineMemory.Read(ref Words.RequestLength);
        return length is >= 0 and <= RpcLimits.LongestMessage ? (int)length
            : throw new QueueCorruptException(_server.Path, 0, $"a request has {length} bytes.");
    }

    private int Receive(Span<byte> bytes)
    {
        using CallGate.Call inside = _server.Gate.Enter();
        int count = Words.Request.Read(bytes);
        NotifyOf(count);
        return count;
    }

    private int Send(ReadOnlySpan<byte> bytes)
    {
        using CallGate.Call inside = _server.Gate.Enter();
        _hasBegunReply = true;
        int count = Words.Reply.Write(bytes);
        NotifyOf(count);
        return count;
    }

    private void NotifyOf(int bytes)
    {
        if (bytes > 0)
        {
            File.NotifyCaller(_cell, _marks);
        }
    }

    private bool Look(bool forRequest)
    {
        using CallGate.Call inside = _server.Gate.Enter();
        return _isCancelled || IsGivenUp || (forRequest ? Words.Request.Waiting : Words.Reply.Space) > 0;
    }

    private ValueTask AwaitAsync(Func<bool, bool> look)
    {
        RequireWanted();
        if (_isOnThread && _server.Spin(look))
        {
            return default;
        }
        _isOnThread = false;
        return _server.WaitAsync(File, look, CancellationToken);
    }

    /// <summary>Packs the reply into the client's memory, and answers. The caller is inside of the gate.</summary>
    /// <param name="reply">The reply.</param>
    /// <param name="rest">The packed reply where it does not fit: <see cref="SendLongAsync"/> sends it. The caller disposes it.</param>
    /// <returns>false if it does not fit.</returns>
    /// <exception cref="PackException">It cannot be packed.</exception>
    internal bool TryReply<TReply>(in TReply reply, [NotNullWhen(false)] out PackedBytes? rest)
        where TReply : IPackable<TReply>
    {
        RpcPipe pipe = Words.Reply;
        var writer = new PackWriter(Packer.Nowhere, pipe.Whole);
        try
        {
            TReply.Pack(ref writer, in reply);
            if (writer.InPlace)
            {
                rest = null;
                AnswerInside(RpcState.Replied, writer.Written);
                return true;
            }
            if (writer.Written > RpcLimits.LongestMessage)
            {
                PackException.ThrowTooLarge(writer.Written);
            }
            rest = PackedBytes.Of(ref writer);
            return false;
        }
        finally
        {
            writer.Abandon();
        }
    }

    /// <summary>Sends a long reply while the client reads it, and answers. The caller is not inside of the gate.</summary>
    /// <exception cref="OperationCanceledException">The client has given up.</exception>
    internal async ValueTask SendLongAsync(PackedBytes reply)
    {
        if (TryCopy(reply.Span))
        {
            return;
        }
        await SendAsync(reply).ConfigureAwait(false);
        Answer(RpcState.Replied, length: null);
    }

    // What was packed elsewhere may fit; for all else the client is told how much will come.
    private bool TryCopy(ReadOnlySpan<byte> packed)
    {
        using CallGate.Call inside = _server.Gate.Enter();
        RpcPipe pipe = Words.Reply;
        if (packed.Length <= pipe.Size)
        {
            packed.CopyTo(pipe.Whole);
            AnswerInside(RpcState.Replied, packed.Length);
            return true;
        }
        // SYNC POINT call bytes: before the first of them.
        MachineMemory.Store(ref Words.ReplyLength, packed.Length);
        return false;
    }

    private async ValueTask SendAsync(PackedBytes bytes)
    {
        Func<bool, bool> look = _ => Look(forRequest: false);
        for (int sent = 0; sent < bytes.Length;)
        {
            int count = Send(bytes.Span[sent..]);
            sent += count;
            if (count == 0)
            {
                await AwaitAsync(look).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Sends one reply of a stream. The caller is not inside of the gate.</summary>
    /// <exception cref="OperationCanceledException">The client has given up.</exception>
    /// <exception cref="PackException">It cannot be packed.</exception>
    internal async ValueTask SendItemAsync<TReply>(TReply reply)
        where TReply : IPackable<TReply>
    {
        using PackedBytes frame = PackFrame(in reply);
        _isInsideOfItem = true;
        await SendAsync(frame).ConfigureAwait(false);
        _isInsideOfItem = false;
    }

    private static PackedBytes PackFrame<TReply>(in TReply reply)
        where TReply : IPackable<TReply>
    {
        var writer = new PackWriter(Packer.Nowhere, room: default);
        try
        {
            TReply.Pack(ref writer, in reply);
            if (writer.Written > RpcLimits.LongestMessage)
            {
                PackException.ThrowTooLarge(writer.Written);
            }
            var frame = PackedBytes.Rent(sizeof(int) + writer.Written);
            BinaryPrimitives.WriteInt32LittleEndian(frame.Span, writer.Written);
            writer.Packed.CopyTo(frame.Span[sizeof(int)..]);
            return frame;
        }
        finally
        {
            writer.Abandon();
        }
    }

    /// <summary>
    /// Ends a stream with an exception: behind the replies that were sent, or inside of one, whose rest does not come. The caller is not
    /// inside of the gate.
    /// </summary>
    /// <exception cref="OperationCanceledException">The client has given up.</exception>
    internal async ValueTask SendFaultAsync(Exception exception)
    {
        if (_isInsideOfItem)
        {
            FaultInsideOfItem(exception);
            return;
        }
        using PackedBytes frame = FaultFrame(exception);
        await SendAsync(frame).ConfigureAwait(false);
        Answer(RpcState.Faulted, length: null);
    }

    private PackedBytes FaultFrame(Exception exception)
    {
        Span<byte> frame = stackalloc byte[sizeof(int) + RpcFault.LongestFault];
        int length = RpcFault.Write(frame[sizeof(int)..], exception, _server.TellsStackTraces);
        BinaryPrimitives.WriteInt32LittleEndian(frame, -length);
        return PackedBytes.Of(frame[..(sizeof(int) + length)]);
    }

    // The client reads the bytes of the reply, up to where they end. So the text goes where the request was: it was read, or no reply would
    // have begun, and a call with a stream is taken by one server alone.
    private void FaultInsideOfItem(Exception exception)
    {
        Span<byte> text = stackalloc byte[RpcFault.LongestFault];
        int length = RpcFault.Write(text, exception, _server.TellsStackTraces);
        using CallGate.Call inside = _server.Gate.Enter();
        text[..length].CopyTo(Words.Request.Whole);
        AnswerInside(RpcState.Faulted, -length);
    }

    /// <summary>Ends the call with an answer that is complete.</summary>
    /// <param name="answer">What it is.</param>
    /// <param name="length">Its bytes; negative where they are the request's; null where the client knows it already.</param>
    internal void Answer(RpcState answer, int? length)
    {
        using CallGate.Call inside = _server.Gate.Enter();
        AnswerInside(answer, length);
    }

    private void TryDrop()
    {
        try
        {
            Answer(RpcState.Dropped, length: null);
        }
        catch (ObjectDisposedException)
        {
            // The client learns that the server is gone.
        }
    }

    private void AnswerInside(RpcState answer, int? length)
    {
        if (_isAnswered)
        {
            return;
        }
        // In front of the exchange: afterwards the cell may be another call's.
        _isAnswered = true;
        if (length is { } bytes)
        {
            MachineMemory.Write(ref Words.ReplyLength, bytes);
        }
        FailPoint.Reach(ProtocolStep.CallAnswered);
        bool isWanted = Words.Cell.TryAnswer(_server.Self, answer);
        FailPoint.Reach(ProtocolStep.CallReplied);
        // The handler of a one-way call runs after this.
        if (!isWanted || !IsOneWay || answer != RpcState.Replied)
        {
            _server.Finish(this, isWanted ? EndOf(answer) : RpcEnd.Cancelled);
        }
        File.NotifyCaller(_cell, _marks);
    }

    private static RpcEnd EndOf(RpcState answer) => answer switch
    {
        RpcState.Replied => RpcEnd.Answered,
        RpcState.Faulted => RpcEnd.Faulted,
        RpcState.Late => RpcEnd.TimedOut,
        _ => RpcEnd.Cancelled,
    };

    /// <summary>
    /// Ends the call with an exception, unless it has an answer. The text goes where the reply would be, also over the part of a long reply
    /// that is there: what the client has read of it counts only with its end. If the client does not want any, there is no text; the
    /// same where it gives up a stream of which replies were sent.
    /// </summary>
    internal void Fault(Exception exception)
    {
        Span<byte> text = stackalloc byte[RpcFault.LongestFault];
        // Outside of the gate: the exception's own code runs.
        int length = RpcFault.Write(text, exception, _server.TellsStackTraces);
        using CallGate.Call inside = _server.Gate.Enter();
        // The cell of a one-way call may be another call's by now.
        if (_isAnswered)
        {
            return;
        }
        if (_hasNoBytes || (IsStream && _hasBegunReply) || (exception is OperationCanceledException && (_isCancelled || IsUnwanted)))
        {
            AnswerInside(RpcState.Dropped, length: null);
            return;
        }
        text[..length].CopyTo(Words.Reply.Whole);
        AnswerInside(RpcState.Faulted, length);
    }

    /// <summary>The call is over, and its context is another's soon. A call that has no answer gets one, whatever has failed.</summary>
    internal void End(Exception? failure)
    {
        if (!_isAnswered)
        {
            TryDrop();
        }
        // Only one-way calls, whose handler runs after the answer, and calls that a disposed server could not answer are not counted yet.
        _server.Finish(this, !IsOneWay || !_isAnswered ? RpcEnd.Cancelled : failure is null ? RpcEnd.Answered : RpcEnd.Faulted);
        lock (_sync)
        {
            _isEnded = true;
            // Its token may still be in use by what the handler has begun.
            _source = null;
        }
        _received?.Dispose();
        _received = null;
        if (QueueMeter.TimesCalls)
        {
            QueueMeter.NoteCall(_server.Path, isClient: false, Stopwatch.GetElapsedTime(Began), failure);
        }
        if (Span.Activity is not null)
        {
            if (failure is not null)
            {
                QueueTracing.Fail(Span, failure);
            }
            Span.Dispose();
            Span = default;
            if (Blocks)
            {
                // The span had another thread's when it began.
                Activity.Current = _outer;
            }
        }
    }
}
