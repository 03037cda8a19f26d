using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>A client without its types: cells, waits, and what ends calls.</summary>
internal sealed class RpcClientCore : IRpcWatched, IDisposable
{
    // After so many looks without a call the watch has one handle less.
    private const int IdleLooks = 50;

    // After so many looks that find a call over, its caller may not have been woken; after more of them there may be none.
    private const int LooksUntilWake = 2;

    private readonly Lock _sync = new();
    private readonly RpcChannel _channel;
    private readonly RpcCallFile _file;
    private readonly RpcClientOptions _options;
    private readonly Func<bool, bool> _look;

    // A task that waits takes two wake-ups, some 40 us, and a server that is at work answers sooner: so a thread that awaits one spins
    // first, half as long.
    private static readonly TimeSpan LongestAwaitSpin = TimeSpan.FromMicroseconds(20), FewestAwaitAge = TimeSpan.FromMicroseconds(2);
    private readonly AdaptiveSpin _awaitSpin = new();
    private readonly TimeSpan _awaitSpinDuration;

    // For free cells.
    private readonly Permits _permits;

    // All guarded by the lock.
    private readonly Stack<int> _free = new();
    private readonly Stack<int> _idleBlocks = new(), _unreservedBlocks = new();
    private readonly RpcClientCall?[] _calls;
    private readonly RpcFormat.BlockPair[] _blocks;
    private readonly List<int> _abandoned = [];

    // The pump's own, so that it needs no memory for a round.
    private readonly List<RpcClientCall> _answered;
    private readonly RpcCounts _counts = new();

    // One that no other thread knows: a thread that calls, one call after the other, makes one object for all of them.
    private readonly SpareObject<RpcClientCall> _spare = new();
    private int _inFlight, _attended, _idleLooks;
    private long _number;
    private bool _isWatched, _isPumping;

    // Set with the lock; read without it by those who find out how a call ended.
    private volatile bool _isEnded;

    // After a long reply so many calls get a block for theirs at once; and whether the last request was long. Callers need not agree on it.
    private const int CallsAfterLongReply = 16;
    private int _longReplies;
    private bool _isRequestLong;

    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    public RpcClientCore(RpcChannel channel, RpcClientOptions options, CancellationToken cancellationToken = default)
    {
        (_channel, _options) = (channel, options);
        Gate = new CallGate(Release, () => Disposed.Of("RpcClient", channel.Path + ": the client"));
        _file = RpcCallFile.Make(channel, Gate, options.CallsInFlight, options.Blocks, cancellationToken);
        _calls = new RpcClientCall?[options.CallsInFlight];
        _blocks = new RpcFormat.BlockPair[options.CallsInFlight];
        _answered = new List<RpcClientCall>(options.CallsInFlight);
        for (int cell = options.CallsInFlight - 1; cell >= 0; cell--)
        {
            _free.Push(cell);
        }
        for (int block = _file.Blocks; block > 0; block--)
        {
            _unreservedBlocks.Push(block);
        }
        _awaitSpinDuration = Environment.ProcessorCount == 1 ? TimeSpan.Zero
            : options.SpinDuration < LongestAwaitSpin ? options.SpinDuration : LongestAwaitSpin;
        _permits = new Permits(options.CallsInFlight);
        _look = _ => LookForAnswers();
        // A server that was dead before is none that this client has lost.
        channel.HasServer();
        MachineMemory.Store(ref channel.Client(channel.Index), channel.Self);
    }

    public CallGate Gate { get; }

    public string Path => _channel.Path;

    public RpcStatistics Statistics
    {
        get
        {
            lock (_sync)
            {
                return _counts.Read();
            }
        }
    }

    // Its word is the client's.
    private AsyncWaitQueue Waits => _file.Waits;

    /// <summary>Takes the right to one cell.</summary>
    /// <returns>false if as many calls are open as may be.</returns>
    public bool TryEnter() => _permits.TryTake();

    /// <summary>Waits for it.</summary>
    /// <exception cref="RpcTimeoutException">The time is over.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <returns>The time that is left.</returns>
    public TimeSpan Enter(TimeSpan timeout, CancellationToken cancellationToken)
    {
        long began = Stopwatch.GetTimestamp();
        return _permits.TryTake(timeout, cancellationToken) ? Left(timeout, began) : throw NoCell(timeout);
    }

    /// <summary>Waits for it without a thread.</summary>
    /// <inheritdoc cref="Enter" path="/exception"/>
    /// <returns>The time that is left.</returns>
    public async ValueTask<TimeSpan> EnterAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        long began = Stopwatch.GetTimestamp();
        return await _permits.TryTakeAsync(timeout, cancellationToken).ConfigureAwait(false)
            ? Left(timeout, began) : throw NoCell(timeout);
    }

    private static TimeSpan Left(TimeSpan timeout, long began)
    {
        TimeSpan left = timeout - Stopwatch.GetElapsedTime(began);
        return timeout == Timeout.InfiniteTimeSpan ? timeout : left > TimeSpan.Zero ? left : TimeSpan.FromTicks(1);
    }

    private RpcTimeoutException NoCell(TimeSpan timeout) => new(
        $"{Path}: {_options.CallsInFlight} calls are open, which is the most, and none ended within {timeout}. No server has seen this "
        + "one.")
    { Path = Path };

    /// <summary>Gives the right to a cell back where no call began.</summary>
    public void Leave() => _permits.Give(1);

    /// <summary>A call for a thread that waits for it.</summary>
    public RpcClientCall NewCall() => _spare.Take() ?? new RpcClientCall(this);

    /// <summary>A thread has read its call's answer, and needs the call no more: it is the next one's.</summary>
    public void Reuse(RpcClientCall call)
    {
        if (call.TryRenew())
        {
            _spare.Give(call);
        }
    }

    /// <summary>Takes a cell for a call. The caller is inside of the gate, and has the right to one.</summary>
    /// <exception cref="ObjectDisposedException">The client is disposed.</exception>
    public void Begin(RpcClientCall call, TimeSpan timeout, int marks, CancellationToken token)
    {
        // Before the watch can see the call.
        (call.Marks, call.Token, call.Attempts) = (marks, token, _options.MaxAttempts);
        (call.Timeout, call.Deadline) = (timeout, long.MaxValue);
        call.ServersGone = MachineMemory.Load(ref _channel.ServersGone);
        // In front of the cell: the system may refuse, and a cell that is taken must be given back.
        var blocks = new RpcFormat.BlockPair(
            _isRequestLong ? TakeBlock() : 0, _longReplies > 0 || (marks & RpcFormat.Stream) != 0 ? TakeBlock() : 0);
        if (!TryTakeCell(call, blocks))
        {
            lock (_sync)
            {
                GiveBack(blocks);
            }
            throw Gate.Disposed();
        }
        call.Words.Clear();
    }

    private bool TryTakeCell(RpcClientCall call, RpcFormat.BlockPair blocks)
    {
        lock (_sync)
        {
            if (_isEnded)
            {
                return false;
            }
            if (!_isWatched)
            {
                RpcWatch.Add(this);
                _isWatched = true;
            }
            call.Index = _free.Pop();
            (call.Words, call.Blocks, call.Number) = (_file[call.Index].With(blocks), blocks, ++_number);
            (_calls[call.Index], _blocks[call.Index]) = (call, blocks);
            _inFlight++;
            _counts.Begin();
            return true;
        }
    }

    // A block that is the caller's alone; 0 for none. The system is asked for its memory without the lock.
    private int TakeBlock()
    {
        int block;
        bool isReserved;
        lock (_sync)
        {
            isReserved = _idleBlocks.TryPop(out block);
            if (!isReserved && !_unreservedBlocks.TryPop(out block))
            {
                return 0;
            }
        }
        if (isReserved || _file.TryReserve(block))
        {
            return block;
        }
        lock (_sync)
        {
            _unreservedBlocks.Push(block);
        }
        return 0;
    }

    // Inside of the lock.
    private void GiveBack(RpcFormat.BlockPair blocks)
    {
        if (blocks.Request != 0)
        {
            _idleBlocks.Push(blocks.Request);
        }
        if (blocks.Reply != 0)
        {
            _idleBlocks.Push(blocks.Reply);
        }
    }

    /// <summary>Says where the packed request is.</summary>
    /// <param name="call">The call.</param>
    /// <param name="writer">It has packed the request into the call's own bytes, or elsewhere.</param>
    public void SetRequest(RpcClientCall call, ref PackWriter writer)
    {
        ReadOnlySpan<byte> packed = writer.Packed;
        NoteRequest(call, packed.Length);
        if (!writer.InPlace && !TryCopyRequest(call, packed))
        {
            call.Follow(PackedBytes.Of(ref writer));
        }
    }

    /// <summary>Copies a request that was packed before the call had a cell.</summary>
    public void SetRequest(RpcClientCall call, ReadOnlySpan<byte> packed)
    {
        NoteRequest(call, packed.Length);
        if (!TryCopyRequest(call, packed))
        {
            call.Follow(PackedBytes.Of(packed));
        }
    }

    private void NoteRequest(RpcClientCall call, int length)
    {
        call.RequestLength = length;
        if (_isRequestLong != (length > RpcFormat.OwnSize))
        {
            _isRequestLong = !_isRequestLong;
        }
    }

    // false if it does not fit as a whole: the rest follows.
    private bool TryCopyRequest(RpcClientCall call, ReadOnlySpan<byte> packed)
    {
        if (packed.Length > RpcLimits.LongestMessage)
        {
            PackException.ThrowTooLarge(packed.Length);
        }
        if (call.Blocks.Request == 0 && packed.Length > call.Words.Request.Size)
        {
            GiveBlock(call);
        }
        RpcPipe pipe = call.Words.Request;
        if (packed.Length > pipe.Size)
        {
            return false;
        }
        packed.CopyTo(pipe.Whole);
        return true;
    }

    // To the request, if there is one left.
    private void GiveBlock(RpcClientCall call)
    {
        call.Blocks = call.Blocks with { Request = TakeBlock() };
        lock (_sync)
        {
            _blocks[call.Index] = call.Blocks;
        }
        call.Words = call.Words.With(call.Blocks);
    }

    /// <summary>Any server may take the call from now on.</summary>
    public void Queue(RpcClientCall call)
    {
        // Behind the packing: while the clock is read, the processor gets the lines of the request from the server's.
        call.Began = Stopwatch.GetTimestamp();
        if (call.Timeout != Timeout.InfiniteTimeSpan)
        {
            call.Deadline = RpcFormat.MillisecondsOf(call.Began) + Math.Max(1, (long)call.Timeout.TotalMilliseconds);
        }
        call.Words.Describe(
            call.Deadline == long.MaxValue ? 0 : call.Deadline, call.Number, call.RequestLength, call.Marks);
        call.Words.Cell.Queue();
        call.IsQueued = true;
        FailPoint.Reach(ProtocolStep.CallQueued);
        Announce(call.Index);
    }

    private void Announce(int cell)
    {
        _file.Hints.Announce(cell % RpcFormat.Bits);
        _channel.Wake.NotifyWaiters<MachineMemory>();
    }

    /// <summary>The token of a call ends it. The last of what its caller does before it waits.</summary>
    public void Register(RpcClientCall call)
    {
        try
        {
            if (call.Token.CanBeCanceled)
            {
                call.Registration = call.Token.UnsafeRegister(static state => Cancel((RpcClientCall)state!), call);
            }
        }
        finally
        {
            call.IsBegun = true;
        }
    }

    private static void Cancel(RpcClientCall call) => call.Client.TryGiveUp(call, RpcOutcome.Cancelled);

    /// <summary>The caller leaves a stream before its end. It is not inside of the gate.</summary>
    public void LeaveStream(RpcClientCall call) => TryGiveUp(call, RpcOutcome.Left);

    private void TryGiveUp(RpcClientCall call, RpcOutcome outcome)
    {
        try
        {
            using CallGate.Call inside = Gate.Enter();
            GiveUp(call, outcome);
        }
        catch (ObjectDisposedException)
        {
        }
    }

    /// <summary>Ends a call without an answer, unless it has one. The caller is inside of the gate.</summary>
    private void GiveUp(RpcClientCall call, RpcOutcome outcome)
    {
        if (call.TryGiveUp(outcome))
        {
            Tell(call);
        }
    }

    // Something has become of the call here. A task is told at once: by way of the word of answers two more threads would have to wake up
    // before it, the one that waits for the process, and the pump's.
    private void Tell(RpcClientCall call)
    {
        _file.NotifyCaller(call.Index, call.Marks);
        if (call.IsOver)
        {
            Signal(call);
        }
    }

    /// <summary>Waits on the calling thread until a call is over. The caller is inside of the gate.</summary>
    public void Wait(RpcClientCall call)
    {
        var spin = new RpcSpin(_options.SpinDuration);
        EventCount wake = _file.WakeOf(call.Index);
        while (!call.IsOver)
        {
            // Not in each round: to look at the words of bytes takes their lines from the server.
            if ((call.IsMoving || spin.IsDue) && call.MoveBytes())
            {
                spin.Begin();
            }
            else if (!spin.TryOnce())
            {
                int ticket = wake.PrepareWait<MachineMemory>();
                if (!call.IsOver && !call.MoveBytes())
                {
                    wake.Wait<MachineMemory>(ticket, TimeSpan.FromMilliseconds(RpcWatch.Period));
                    // The pool, which the watch needs, may be full of callers that wait.
                    var look = new Look();
                    Check(call, ref look);
                }
            }
        }
        call.Ended = spin.Now;
        call.Words.ExpectReply();
    }

    /// <summary>
    /// Waits without a thread until there is something for a task: for a stream's reader, for one that moves a long request, or for the
    /// pump. The caller is not inside of the gate, and looks again by itself.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The client is disposed.</exception>
    public async ValueTask WaitAsync(Func<bool, bool> look)
    {
        try
        {
            await Waits.WaitAsync(look, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is not ObjectDisposedException)
        {
            // The system gives no thread to wait with, or no memory: the caller looks as often as the watch, until it does.
            await Task.Delay(RpcWatch.Period).ConfigureAwait(false);
        }
    }

    /// <summary>Whether a call is over, for a caller that is not inside of the gate.</summary>
    /// <param name="call">The call.</param>
    /// <param name="spins">Whether to wait a moment for its end.</param>
    public bool IsOver(RpcClientCall call, bool spins = false)
    {
        try
        {
            using CallGate.Call inside = Gate.Enter();
            return call.IsOver || (spins && SpinUntilOver(call));
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
    }

    private bool SpinUntilOver(RpcClientCall call)
    {
        // Who asks right behind the beginning has other calls to begin, as where each becomes a task of a list: they are not to wait.
        if (_awaitSpinDuration == TimeSpan.Zero || call.IsMoving || Stopwatch.GetElapsedTime(call.Began) < FewestAwaitAge
            || !_awaitSpin.Begins())
        {
            return false;
        }
        var spin = new RpcSpin(_awaitSpinDuration);
        while (!call.IsOver && spin.TryOnce())
        {
        }
        bool isOver = call.IsOver;
        // A long reply that has begun says nothing about the others.
        if (isOver || !call.HasBytesToMove)
        {
            _awaitSpin.Note(isOver);
        }
        return isOver;
    }

    public void WakeServers() => _file.ServerWake.NotifyWaiters<MachineMemory>();

    /// <summary>Has the call's task end when the call does, and moves its bytes meanwhile.</summary>
    public void Attend(RpcClientCall call)
    {
        bool begins;
        lock (_sync)
        {
            if (call.WasAttended)
            {
                // The watch was first: the task ends by what it is told then, or was told already.
                return;
            }
            (call.IsAttended, call.WasAttended) = (true, true);
            _attended++;
            begins = !_isPumping;
            _isPumping = true;
        }
        if (begins)
        {
            _ = PumpAsync();
        }
        // SYNC POINT call answered: the pump may have taken the call's bit before the call was attended to.
        if (IsOver(call))
        {
            Signal(call);
        }
        else
        {
            RemindOfBytes(call);
        }
    }

    private void RemindOfBytes(RpcClientCall call)
    {
        try
        {
            using CallGate.Call inside = Gate.Enter();
            if (call.HasBytesToMove)
            {
                _file.SetAnswered(call.Index);
            }
        }
        catch (ObjectDisposedException)
        {
        }
    }

    // Once for each call that is attended to.
    private void Signal(RpcClientCall call)
    {
        lock (_sync)
        {
            if (!call.IsAttended)
            {
                return;
            }
            call.IsAttended = false;
            _attended--;
        }
        try
        {
            call.Signal();
        }
        catch (Exception)
        {
            // The context or scheduler in which the caller wanted to go on has refused it. The other calls of the client have other
            // callers; of this one the watch takes the answer out.
        }
    }

    /// <summary>Moves the rest of a long request, until all is written or the call is over.</summary>
    public async Task MoveRestAsync(RpcClientCall call)
    {
        try
        {
            Func<bool, bool> look = _ => LookForRest(call);
            while (!LookForEnd(call))
            {
                await WaitAsync(look).ConfigureAwait(false);
            }
        }
        catch (ObjectDisposedException)
        {
        }
    }

    private bool LookForEnd(RpcClientCall call)
    {
        using CallGate.Call inside = Gate.Enter();
        call.MoveBytes();
        return !call.HasRest;
    }

    private bool LookForRest(RpcClientCall call)
    {
        using CallGate.Call inside = Gate.Enter();
        return !call.HasRest || call.HasBytesToMove;
    }

    // It ends when no task waits, and with the client; by nothing else.
    private async Task PumpAsync()
    {
        try
        {
            do
            {
                await WaitAsync(_look).ConfigureAwait(false);
            }
            while (TrySignalOver());
        }
        catch (ObjectDisposedException)
        {
            // Each caller meets it.
            lock (_sync)
            {
                _isPumping = false;
            }
            Array.ForEach(OpenCalls(), Signal);
        }
        catch (Exception)
        {
            await Task.Delay(RpcWatch.Period).ConfigureAwait(false);
            // What the round had taken from the word of answers is looked at again.
            RemindOfAll();
            _ = PumpAsync();
        }
    }

    private void RemindOfAll()
    {
        try
        {
            using CallGate.Call inside = Gate.Enter();
            for (int bit = 0; bit < RpcFormat.Bits; bit++)
            {
                _file.Answered.Set(bit);
            }
        }
        catch (ObjectDisposedException)
        {
        }
    }

    // Looks at the calls that have something new: moves their bytes, and ends the waits of those that are over. false if no task waits.
    private bool TrySignalOver()
    {
        using CallGate.Call inside = Gate.Enter();
        TakeAnswered();
        // Without the lock: to move bytes takes long, and callers want cells meanwhile.
        foreach (RpcClientCall call in _answered)
        {
            bool hasMoved = call.MoveBytes();
            if (call.IsOver)
            {
                Signal(call);
            }
            else if (hasMoved)
            {
                // It moves so much at once, and no more: its server may wait for the rest.
                _file.SetAnswered(call.Index);
            }
        }
        lock (_sync)
        {
            return _isPumping = _attended > 0;
        }
    }

    // The calls with something new that tasks wait for.
    private void TakeAnswered()
    {
        _answered.Clear();
        ulong bits = (ulong)_file.Answered.Take();
        lock (_sync)
        {
            for (; bits != 0; bits &= bits - 1)
            {
                for (int cell = BitOperations.TrailingZeroCount(bits); cell < _calls.Length; cell += RpcFormat.Bits)
                {
                    if (_calls[cell] is { IsAttended: true } call)
                    {
                        _answered.Add(call);
                    }
                }
            }
        }
    }

    private bool LookForAnswers()
    {
        using CallGate.Call inside = Gate.Enter();
        return _file.Answered.IsAny;
    }

    /// <summary>The call is over for its caller: it is counted, and its cell can be used again, unless that was done before.</summary>
    /// <param name="call">The call.</param>
    /// <param name="how">How it ended; null if no server could ever see it.</param>
    public void End(RpcClientCall call, RpcEnd? how)
    {
        // Outside of the lock: it waits for a cancellation that is under way.
        call.Registration.Dispose();
        call.Clear();
        GiveBack(call, how);
    }

    private void GiveBack(RpcClientCall call, RpcEnd? how)
    {
        bool isFree = false;
        try
        {
            using CallGate.Call inside = Gate.Enter();
            lock (_sync)
            {
                if (!TryForget(call, how))
                {
                    return;
                }
                isFree = TryFree(call.Index);
                if (!isFree)
                {
                    // Of a call that ended by what its client met: its server is told.
                    call.Words.Cell.TryGiveUp(out _);
                    _abandoned.Add(call.Index);
                }
            }
        }
        catch (ObjectDisposedException)
        {
            // The client is disposed, and its cells with it.
            lock (_sync)
            {
                TryForget(call, how);
            }
        }
        if (isFree)
        {
            _permits.Give(1);
        }
    }

    // Inside of the lock. Each call is counted once: what has ended it first counts.
    private bool TryForget(RpcClientCall call, RpcEnd? how)
    {
        if (_calls[call.Index] != call)
        {
            return false;
        }
        _calls[call.Index] = null;
        _inFlight--;
        if (how is { } end)
        {
            _counts.End(end, Stopwatch.GetElapsedTime(call.Began, call.Ended != 0 ? call.Ended : Stopwatch.GetTimestamp()));
        }
        else
        {
            _counts.Undo();
        }
        return true;
    }

    // Inside of the lock.
    private bool TryFree(int cell)
    {
        if (!_file[cell].Cell.IsFree)
        {
            return false;
        }
        GiveBack(_blocks[cell]);
        _blocks[cell] = default;
        _free.Push(cell);
        return true;
    }

    /// <summary>Notes how long a reply was.</summary>
    public void NoteReply(int length)
    {
        if (length > RpcFormat.OwnSize)
        {
            _longReplies = CallsAfterLongReply;
        }
        else if (_longReplies > 0)
        {
            _longReplies--;
        }
    }

    /// <summary>What the server says instead of a reply, as an exception.</summary>
    /// <param name="call">A call that its server has ended.</param>
    /// <param name="word">The call's word.</param>
    public Exception FaultOf(RpcClientCall call, long word)
    {
        long server = RpcFormat.ServerOf(word);
        return RpcFormat.StateOf(word) switch
        {
            RpcState.Faulted => FaultOf(call.Fault, server),
            RpcState.Late => new RpcTimeoutException(
                $"{Path}: the time for the call was over when a server took it. "
                + (call.LostServer == 0 ? "No handler has seen the request." : "A server that had taken it before is dead."))
            { Path = Path, WasTaken = call.LostServer != 0 },
            // The time is the client's own, so it knows as well as the server whether it is over.
            RpcState.Dropped when RpcFormat.Milliseconds >= call.Deadline => TimeOver(server),
            // A server drops what it has of a client that leaves.
            RpcState.Dropped when _isEnded => Gate.Disposed(),
            RpcState.Dropped => new PeerLostException(
                $"{Path}: {NameOf(server)} had taken the request, and has stopped before its answer was complete. Its handler may have "
                + "done its work, a part of it, or nothing.")
            { Path = Path, ProcessId = ProcessOf(server), WasTaken = true },
            _ => Spoiled(),
        };
    }

    /// <summary>A handler's exception.</summary>
    /// <param name="fault">The server's bytes, which are copied before they are looked at.</param>
    /// <param name="server">The server's owner word.</param>
    public RpcFaultException FaultOf(ReadOnlySpan<byte> fault, long server) =>
        RpcFault.Read(fault[..Math.Min(fault.Length, RpcFault.LongestFault)].ToArray(), Path, ProcessOf(server));

    private int? ProcessOf(long server) => server == 0 ? null : _channel.ProcessOf(server);

    private string NameOf(long server) => ProcessOf(server) is { } id ? $"process {id}" : "a server";

    private RpcTimeoutException TimeOver(long server) => new(
        $"{Path}: the time for the call is over. {NameOf(server)} has taken the request, and its handler is told.")
    { Path = Path, ProcessId = ProcessOf(server), WasTaken = true };

    /// <summary>How a call ended without an answer, as an exception.</summary>
    /// <param name="call">The call.</param>
    /// <param name="ending">Its ending.</param>
    public Exception FailureOf(RpcClientCall call, RpcEnding ending)
    {
        (RpcOutcome outcome, long server, bool isDead) = ending;
        return outcome switch
        {
            RpcOutcome.Lost when server == 0 => new PeerLostException(
                $"{Path}: the server is gone, and there is no other. It had not taken the request, which no handler has seen: the call can "
                + "be repeated.")
            { Path = Path },
            RpcOutcome.Lost => new PeerLostException(
                $"{Path}: {NameOf(server)} had taken the request, and is dead. Its handler may have done its work, a part of it, or "
                + "nothing.")
            { Path = Path, ProcessId = ProcessOf(server), WasTaken = true },
            RpcOutcome.TimedOut when server == 0 => new RpcTimeoutException(
                $"{Path}: the time for the call is over. No server has taken the request, and none will.")
            { Path = Path },
            RpcOutcome.TimedOut when isDead => new RpcTimeoutException(
                $"{Path}: the time for the call is over. {NameOf(server)} had taken the request, and is dead; no other server has taken "
                + "it.")
            { Path = Path, ProcessId = ProcessOf(server), WasTaken = true },
            RpcOutcome.TimedOut => TimeOver(server),
            RpcOutcome.Cancelled => new OperationCanceledException(
                $"{Path}: the call was cancelled{(server == 0 ? ", and no server has taken it" : $" while {NameOf(server)} had it")}.",
                call.Token),
            RpcOutcome.NoMemory => new InsufficientMemoryException($"{Path}: there is no memory for the reply."),
            RpcOutcome.Corrupt => Spoiled(),
            _ => Gate.Disposed(),
        };
    }

    /// <summary>The words of a call are such as no server writes.</summary>
    public QueueCorruptException Spoiled() => new(Path, 0, "the words of a reply cannot be a server's of this library.");

    public void LookAtPeers()
    {
        try
        {
            using CallGate.Call inside = Gate.Enter();
            LeaveWatchIfIdle();
            // The kernel is asked once for all calls of a server.
            var look = new Look();
            bool isOneLongOver = false;
            foreach (RpcClientCall call in OpenCalls())
            {
                Check(call, ref look);
                isOneLongOver |= LookWhetherLongOver(call);
            }
            FreeAbandoned();
            if (isOneLongOver)
            {
                // Streams wait by themselves, and waits that are not woken are looked at rarely.
                Waits.LookAgain();
            }
        }
        catch (ObjectDisposedException)
        {
            RpcWatch.Remove(this);
        }
    }

    // Whether waits are to look again: once for a call. A wait that begins later looks by itself.
    private bool LookWhetherLongOver(RpcClientCall call)
    {
        int looks = call.CountLook();
        if (looks == LooksUntilWake)
        {
            // Its server may have died between the answer and the wake-up.
            Signal(call);
        }
        else if (looks > LooksUntilWake && HasNoCaller(call))
        {
            TakeOut(call);
        }
        else if (looks == 0 && call.CountWaiting() > LooksUntilWake && HasNoCaller(call))
        {
            // A long reply that is not awaited: the pump reads it, so that the call comes to its end.
            Attend(call);
        }
        return looks == LooksUntilWake;
    }

    // A thread, and the reader of a stream, read the answer where it is.
    private bool HasNoCaller(RpcClientCall call)
    {
        lock (_sync)
        {
            return call.IsBegun && !call.IsAttended && (call.Marks & (RpcFormat.OnThread | RpcFormat.Stream)) == 0;
        }
    }

    // The call is not awaited: it may be later, or never. Its cell is for other calls, which may be what its caller awaits first.
    private void TakeOut(RpcClientCall call)
    {
        if (!call.TryTakeOut(out Exception? failure))
        {
            return;
        }
        call.Registration.Dispose();
        GiveBack(call, RpcAnswer.EndOf(failure));
        // A task that began to wait meanwhile may have looked at the cell when it was another call's already.
        Signal(call);
        // Listeners run elsewhere: the watch has other calls to look at.
        _ = Task.Run(() => RpcAnswer.Tell(call, failure));
    }

    // No call has been open for so long that the timer is not needed.
    private void LeaveWatchIfIdle()
    {
        lock (_sync)
        {
            if (_inFlight > 0 || _abandoned.Count > 0)
            {
                _idleLooks = 0;
            }
            else if (++_idleLooks > IdleLooks)
            {
                (_isWatched, _idleLooks) = (false, 0);
                RpcWatch.Remove(this);
            }
        }
    }

    private RpcClientCall[] OpenCalls()
    {
        lock (_sync)
        {
            return _inFlight == 0 ? [] : FindOpen();
        }
    }

    // Inside of the lock.
    private RpcClientCall[] FindOpen()
    {
        RpcClientCall[] open = [.. _calls.OfType<RpcClientCall>()];
        Array.ForEach(open, static call => call.WasFound = true);
        return open;
    }

    // Ends a call whose time is over, or whose server is dead.
    private void Check(RpcClientCall call, ref Look look)
    {
        if (call.IsOver)
        {
            return;
        }
        if (Gate.IsClosed)
        {
            // It was queued after the handle had ended the others.
            GiveUp(call, RpcOutcome.Disposed);
        }
        if (RpcFormat.Milliseconds >= call.Deadline)
        {
            GiveUp(call, RpcOutcome.TimedOut);
        }
        long word = call.Words.Cell.Word;
        switch (RpcFormat.StateOf(word))
        {
            case RpcState.Queued when word == RpcFormat.Word(RpcState.Queued) && (look.HasServer ??= _channel.HasServer()):
                // A server may have died between clearing a hint and taking the call.
                Announce(call.Index);
                break;
            case RpcState.Queued when _options.MaxAttempts == 1
                && MachineMemory.Load(ref _channel.ServersGone) != call.ServersGone:
                // A server that came meanwhile may have taken it after the word was read.
                if (call.TryWithdraw())
                {
                    Tell(call);
                }
                break;
            case RpcState.Taken when !IsAlive(RpcFormat.ServerOf(word), ref look):
                if (call.TryLose(word, out bool isQueuedAgain))
                {
                    if (isQueuedAgain)
                    {
                        Announce(call.Index);
                    }
                    Tell(call);
                }
                break;
            case not RpcState.Taken when call.TryRefuse():
                Tell(call);
                break;
        }
    }

    private bool IsAlive(long server, ref Look look)
    {
        if (server != 0 && look.Living == server)
        {
            return true;
        }
        if (!_channel.IsAlive(server))
        {
            return false;
        }
        look.Living = server;
        return true;
    }

    private void FreeAbandoned()
    {
        int freed;
        lock (_sync)
        {
            freed = _abandoned.RemoveAll(cell =>
            {
                RpcCell<MachineMemory> one = _file[cell].Cell;
                long word = one.Word;
                if (RpcFormat.StateOf(word) is RpcState.Abandoned or RpcState.Taken && !_channel.IsAlive(RpcFormat.ServerOf(word)))
                {
                    one.TryLose(word, isQueuedAgain: false);
                }
                return TryFree(cell);
            });
        }
        if (freed > 0)
        {
            _permits.Give(freed);
        }
    }

    /// <summary>Ends all calls, and deletes the file when the last caller has left.</summary>
    public void Dispose()
    {
        if (TryEnd() is { } open)
        {
            GiveUpAll(open);
        }
        // The pump and the watch may be inside, for a moment. A process that ends before they have left would leave its file behind. The
        // scope of a reply's bytes lasts as long as its caller wants.
        if (!Gate.HasLongCall)
        {
            Gate.AwaitRelease();
        }
    }

    // The open calls; null if another thread has ended the client.
    private RpcClientCall[]? TryEnd()
    {
        lock (_sync)
        {
            if (_isEnded)
            {
                return null;
            }
            _isEnded = true;
            return FindOpen();
        }
    }

    private void GiveUpAll(RpcClientCall[] open)
    {
        RpcWatch.Remove(this);
        using (Gate.Enter())
        {
            MachineMemory.Store(ref _channel.Client(_channel.Index), 0);
            foreach (RpcClientCall call in open)
            {
                GiveUp(call, RpcOutcome.Disposed);
            }
        }
        Gate.Close();
        Waits.Close();
        // Those who wait for a cell meet the closed gate.
        _permits.GiveAll();
    }

    // No caller is inside any more, so no request is queued after this.
    private void Release()
    {
        lock (_sync)
        {
            foreach (RpcClientCall call in FindOpen())
            {
                call.Words.Cell.TryGiveUp(out _);
                if (!call.IsAttended)
                {
                    // Its caller may never come to end it.
                    TryForget(call, RpcEnd.Cancelled);
                }
            }
        }
        _file.Dispose();
        _channel.Dispose();
    }

    /// <summary>What is known already while calls are looked at.</summary>
    private struct Look
    {
        /// <summary>A server that lives; 0 for none.</summary>
        public long Living;

        public bool? HasServer;
    }
}
