using System.Diagnostics;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>A client without its types: cells, waits, and what ends calls.</summary>
internal sealed class RpcClientCore : IRpcWatched, IDisposable
{
    // After so many looks without a call the watch has one handle less.
    private const int IdleLooks = 50;

    private readonly Lock _sync = new();
    private readonly RpcChannel _channel;
    private readonly RpcCallFile _file;
    private readonly RpcClientOptions _options;
    private readonly AsyncWaitQueue _waits;
    private readonly Func<bool, bool> _look;

    // Permits for free cells; disposed never, because callers may still wait.
    private readonly SemaphoreSlim _permits;

    // All guarded by the lock.
    private readonly Stack<int> _free = new();
    private readonly Stack<int> _idleBlocks = new();
    private readonly RpcClientCall?[] _calls;
    private readonly int[] _blocks;
    private readonly List<int> _abandoned = [];
    private readonly List<RpcClientCall> _attended = [];
    private int _reservedBlocks, _inFlight, _idleLooks;
    private long _number;
    private bool _isWatched, _isPumping, _isEnded;

    // What the last messages were, so that the next ones get a block at once.
    private int _longRequest, _longReply;

    public RpcClientCore(RpcChannel channel, RpcClientOptions options)
    {
        (_channel, _options) = (channel, options);
        Gate = new CallGate(Release, () => Disposed.Of("RpcClient", channel.Path + ": the client"));
        _file = RpcCallFile.Make(channel, options.CallsInFlight, options.Blocks);
        _calls = new RpcClientCall?[options.CallsInFlight];
        _blocks = new int[options.CallsInFlight];
        for (int cell = options.CallsInFlight - 1; cell >= 0; cell--)
        {
            _free.Push(cell);
        }
        _permits = new SemaphoreSlim(options.CallsInFlight);
        _waits = new AsyncWaitQueue(Gate, _file.ClientWake);
        _look = LookForAttended;
        // A server that was dead before is none that this client has lost.
        channel.HasServer();
        MachineMemory.Store(ref channel.Client(channel.Index), channel.Self);
    }

    public CallGate Gate { get; }

    public RpcCounts Counts { get; } = new();

    public string Path => _channel.Path;

    public int InFlight
    {
        get
        {
            lock (_sync)
            {
                return _inFlight;
            }
        }
    }

    /// <summary>Takes the right to one cell.</summary>
    /// <returns>false if as many calls are open as may be.</returns>
    public bool TryEnter() => _permits.Wait(0);

    /// <summary>Waits for it.</summary>
    /// <exception cref="RpcTimeoutException">The time is over.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <returns>The time that is left.</returns>
    public TimeSpan Enter(TimeSpan timeout, CancellationToken cancellationToken)
    {
        long began = Stopwatch.GetTimestamp();
        return _permits.Wait(timeout, cancellationToken) ? Left(timeout, began) : throw NoCell(timeout);
    }

    /// <summary>Waits for it without a thread.</summary>
    /// <inheritdoc cref="Enter" path="/exception"/>
    /// <returns>The time that is left.</returns>
    public async ValueTask<TimeSpan> EnterAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        long began = Stopwatch.GetTimestamp();
        return await _permits.WaitAsync(timeout, cancellationToken).ConfigureAwait(false) ? Left(timeout, began) : throw NoCell(timeout);
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
    public void Leave() => _permits.Release();

    /// <summary>Takes a cell for a call. The caller is inside of the gate, and has the right to one.</summary>
    /// <exception cref="ObjectDisposedException">The client is disposed.</exception>
    public void Begin(RpcClientCall call, TimeSpan timeout, int marks, CancellationToken token)
    {
        int block;
        long number;
        // Before the watch can see the call.
        (call.Marks, call.Token, call.Attempts) = (marks, token, _options.MaxAttempts);
        call.Deadline = timeout == Timeout.InfiniteTimeSpan ? long.MaxValue
            : MachineMemory.Milliseconds + Math.Max(1, (long)timeout.TotalMilliseconds);
        call.ServersGone = MachineMemory.Load(ref _channel.ServersGone);
        call.Began = Stopwatch.GetTimestamp();
        lock (_sync)
        {
            if (_isEnded)
            {
                throw Gate.Disposed();
            }
            call.Index = _free.Pop();
            call.Words = _file[call.Index];
            _calls[call.Index] = call;
            _inFlight++;
            block = _longRequest > RpcFormat.OwnSize || _longReply > RpcFormat.OwnSize || (marks & RpcFormat.Stream) != 0
                ? TakeBlock(call.Index) : 0;
            number = ++_number;
            if (!_isWatched)
            {
                _isWatched = true;
                RpcWatch.Add(this);
            }
        }
        RpcCallWords words = call.Words;
        MachineMemory.Write(ref words.Deadline, call.Deadline == long.MaxValue ? 0 : call.Deadline);
        MachineMemory.Write(ref words.Number, number);
        words.Marks = marks;
        words.Block = block;
        words.Clear();
        Counts.Begin();
    }

    // Inside of the lock: the number of a block that this cell has from now on; 0 for none.
    private int TakeBlock(int cell)
    {
        if (!_idleBlocks.TryPop(out int block) && _reservedBlocks < _file.Blocks && _file.TryReserve(_reservedBlocks + 1))
        {
            block = ++_reservedBlocks;
        }
        return _blocks[cell] = block;
    }

    /// <summary>Says where the packed request is.</summary>
    /// <param name="call">The call.</param>
    /// <param name="packed">The request.</param>
    /// <param name="isInCell">Whether it was packed into the call's own bytes.</param>
    public void SetRequest(RpcClientCall call, ReadOnlySpan<byte> packed, bool isInCell)
    {
        _longRequest = packed.Length;
        RpcCallWords words = call.Words;
        MachineMemory.Write(ref words.RequestLength, packed.Length);
        if (isInCell)
        {
            return;
        }
        if (packed.Length > RpcLimits.LongestMessage)
        {
            PackException.ThrowTooLarge(packed.Length);
        }
        if (words.Block == 0)
        {
            lock (_sync)
            {
                words.Block = TakeBlock(call.Index);
            }
        }
        RpcPipe pipe = words.Request;
        if (packed.Length <= pipe.Size)
        {
            packed.CopyTo(pipe.Whole);
        }
        else
        {
            call.Follow(packed);
        }
    }

    /// <summary>Any server may take the call from now on.</summary>
    public void Queue(RpcClientCall call)
    {
        call.Words.Cell.Queue();
        call.IsQueued = true;
        FailPoint.Reach(ProtocolStep.CallQueued);
        Announce(call.Index);
    }

    // Where a server may have died, its hints are not trusted: it may have cleared the channel's, and died before it set it again.
    private void Announce(int cell, bool isSuspicious = false)
    {
        // SYNC POINT call hint: the request was queued before; the bit is set by a full fence.
        if (_file.SetPending(cell % RpcFormat.PendingBits) || isSuspicious)
        {
            _channel.BeginCalling();
        }
        _channel.Wake.NotifyWaiters<MachineMemory>();
    }

    /// <summary>The token of a call ends it.</summary>
    public void Register(RpcClientCall call)
    {
        if (call.Token.CanBeCanceled)
        {
            call.Registration = call.Token.UnsafeRegister(static state => Cancel((RpcClientCall)state!), call);
        }
    }

    private static void Cancel(RpcClientCall call)
    {
        try
        {
            using CallGate.Call inside = call.Client.Gate.Enter();
            call.Client.GiveUp(call, RpcOutcome.Cancelled);
        }
        catch (ObjectDisposedException)
        {
        }
    }

    /// <summary>Ends a call without an answer, unless it has one. The caller is inside of the gate.</summary>
    public void GiveUp(RpcClientCall call, RpcOutcome outcome)
    {
        if (call.TryGiveUp(outcome))
        {
            _file.ClientWake.NotifyWaiters<MachineMemory>();
        }
    }

    /// <summary>Waits on the calling thread until a call is over. The caller is inside of the gate.</summary>
    public void Wait(RpcClientCall call)
    {
        var spin = new RpcSpin(_options.SpinDuration);
        while (!call.IsOver)
        {
            // Not in each round: to look at the words of bytes takes their lines from the server.
            if ((call.IsMoving || spin.IsDue) && call.MoveBytes())
            {
                spin.Begin();
            }
            else if (!spin.TryOnce())
            {
                int ticket = _file.ClientWake.PrepareWait<MachineMemory>();
                if (!call.IsOver && !call.MoveBytes())
                {
                    _file.ClientWake.Wait<MachineMemory>(ticket, TimeSpan.FromMilliseconds(RpcWatch.Period));
                    // The pool, which the watch needs, may be full of callers that wait.
                    var look = new Look();
                    Check(call, ref look);
                }
            }
        }
    }

    /// <summary>Waits without a thread until there is something for a stream's reader. The caller is not inside of the gate.</summary>
    public ValueTask WaitAsync(Func<bool, bool> look) => _waits.WaitAsync(look, CancellationToken.None);

    /// <summary>Whether a call is over, for a caller that is not inside of the gate.</summary>
    public bool IsOver(RpcClientCall call)
    {
        try
        {
            using CallGate.Call inside = Gate.Enter();
            return call.IsOver;
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
    }

    public void WakeServers() => _file.ServerWake.NotifyWaiters<MachineMemory>();

    /// <summary>Has the call's task end when the call does, and moves its bytes meanwhile.</summary>
    public void Attend(RpcClientCall call)
    {
        bool begins;
        lock (_sync)
        {
            _attended.Add(call);
            begins = !_isPumping;
            _isPumping = true;
        }
        if (begins)
        {
            _ = PumpAsync();
        }
        else if (IsOver(call))
        {
            // The pump may have looked before the call was added.
            bool isMine;
            lock (_sync)
            {
                isMine = _attended.Remove(call);
            }
            if (isMine)
            {
                call.Signal();
            }
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
                await _waits.WaitAsync(look, CancellationToken.None).ConfigureAwait(false);
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

    private async Task PumpAsync()
    {
        List<RpcClientCall> over = [];
        try
        {
            for (bool isMore = true; isMore;)
            {
                await _waits.WaitAsync(_look, CancellationToken.None).ConfigureAwait(false);
                isMore = TakeOver(over);
                over.ForEach(static call => call.Signal());
                over.Clear();
            }
        }
        catch (Exception)
        {
            // The client is disposed, or there is no memory for a reply: each caller meets what is wrong, and none waits for ever.
            lock (_sync)
            {
                over.AddRange(_attended);
                _attended.Clear();
                _isPumping = false;
            }
            over.ForEach(static call => call.Signal());
        }
    }

    // Moves bytes, and takes the calls that are over from the list. false if none is left.
    private bool TakeOver(List<RpcClientCall> over)
    {
        using CallGate.Call inside = Gate.Enter();
        lock (_sync)
        {
            _attended.RemoveAll(call =>
            {
                call.MoveBytes();
                if (call.IsOver)
                {
                    over.Add(call);
                    return true;
                }
                return false;
            });
            return _isPumping = _attended.Count > 0;
        }
    }

    private bool LookForAttended(bool thorough)
    {
        using CallGate.Call inside = Gate.Enter();
        lock (_sync)
        {
            foreach (RpcClientCall call in _attended)
            {
                if (call.IsOver || call.HasBytesToMove)
                {
                    return true;
                }
            }
            return false;
        }
    }

    /// <summary>The caller has read what it wanted: the cell can be used again. The caller is inside of the gate.</summary>
    public void End(RpcClientCall call)
    {
        // Outside of the lock: it waits for a cancellation that is under way.
        call.Registration.Dispose();
        call.Clear();
        bool isFree;
        lock (_sync)
        {
            _calls[call.Index] = null;
            _inFlight--;
            isFree = TryFree(call.Index);
            if (!isFree)
            {
                // Of a call that ended by what its client met: its server is told.
                call.Words.Cell.TryGiveUp(out _);
                _abandoned.Add(call.Index);
            }
        }
        if (isFree)
        {
            _permits.Release();
        }
    }

    // Inside of the lock.
    private bool TryFree(int cell)
    {
        if (!_file[cell].Cell.TryFree())
        {
            return false;
        }
        if (_blocks[cell] > 0)
        {
            _idleBlocks.Push(_blocks[cell]);
            _blocks[cell] = 0;
        }
        _free.Push(cell);
        return true;
    }

    /// <summary>Notes how long a reply was.</summary>
    public void NoteReply(int length) => _longReply = length;

    /// <summary>What the server says of a handler that failed; without a word, the deadline was over when it took the call.</summary>
    /// <param name="fault">The server's bytes, which are copied before they are looked at.</param>
    /// <param name="server">The server's owner word.</param>
    public Exception FaultOf(ReadOnlySpan<byte> fault, long server) => fault.IsEmpty
        ? new RpcTimeoutException($"{Path}: the time for the call was over when a server took it. No handler has seen the request.")
        { Path = Path }
        : RpcFault.Read(fault[..Math.Min(fault.Length, RpcFault.LongestFault)].ToArray(), Path, _channel.ProcessOf(server));

    /// <summary>How a call ended without an answer, as an exception.</summary>
    public Exception FailureOf(RpcClientCall call)
    {
        int? process = call.Server == 0 ? null : _channel.ProcessOf(call.Server);
        string who = process is { } id ? $"process {id}" : "a server";
        return call.Outcome switch
        {
            RpcOutcome.NotTaken => new PeerLostException(
                $"{Path}: the server is gone, and there is no other. It had not taken the request, which no handler has seen: the call can "
                + "be repeated.")
            { Path = Path },
            RpcOutcome.Lost => new PeerLostException(
                $"{Path}: {who} had taken the request, and is dead. Its handler may have done its work, a part of it, or nothing.")
            { Path = Path, ProcessId = process, WasTaken = true },
            RpcOutcome.TimedOut when call.Server == 0 => new RpcTimeoutException(
                $"{Path}: the time for the call is over. No server has taken the request, and none will.")
            { Path = Path },
            RpcOutcome.TimedOut => new RpcTimeoutException(
                $"{Path}: the time for the call is over. {who} has taken the request, and its handler is told.")
            { Path = Path, ProcessId = process, WasTaken = true },
            RpcOutcome.Cancelled => new OperationCanceledException(
                $"{Path}: the call was cancelled{(call.Server == 0 ? ", and no server has taken it" : $" while {who} had it")}.",
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
            // The kernel is asked once for all calls of a server.
            var look = new Look();
            foreach (RpcClientCall call in OpenCalls())
            {
                Check(call, ref look);
            }
            FreeAbandoned();
        }
        catch (ObjectDisposedException)
        {
            RpcWatch.Remove(this);
        }
    }

    private RpcClientCall[] OpenCalls()
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
            return [.. _calls.OfType<RpcClientCall>()];
        }
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
        if (MachineMemory.Milliseconds >= call.Deadline)
        {
            GiveUp(call, RpcOutcome.TimedOut);
        }
        long word = call.Words.Cell.Word;
        switch (RpcFormat.StateOf(word))
        {
            case RpcState.Queued when look.HasServer ??= _channel.HasServer():
                // A server may have died between clearing a hint and taking the call.
                Announce(call.Index, isSuspicious: true);
                break;
            case RpcState.Queued when _options.MaxAttempts == 1
                && MachineMemory.Load(ref _channel.ServersGone) != call.ServersGone:
                GiveUp(call, RpcOutcome.NotTaken);
                break;
            case RpcState.Taken when !IsAlive(RpcFormat.ServerOf(word), ref look):
                if (call.TryLose(word, out bool isQueuedAgain))
                {
                    if (isQueuedAgain)
                    {
                        Announce(call.Index, isSuspicious: true);
                    }
                    _file.ClientWake.NotifyWaiters<MachineMemory>();
                }
                break;
            case not (RpcState.Queued or RpcState.Taken) when call.TryRefuse():
                _file.ClientWake.NotifyWaiters<MachineMemory>();
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
            _permits.Release(freed);
        }
    }

    /// <summary>Ends all calls, and deletes the file when the last caller has left.</summary>
    public void Dispose()
    {
        RpcClientCall[] open;
        lock (_sync)
        {
            if (_isEnded)
            {
                return;
            }
            _isEnded = true;
            open = [.. _calls.OfType<RpcClientCall>()];
        }
        RpcWatch.Remove(this);
        using (Gate.Enter())
        {
            foreach (RpcClientCall call in open)
            {
                GiveUp(call, RpcOutcome.Disposed);
            }
            MachineMemory.Store(ref _channel.Client(_channel.Index), 0);
        }
        Gate.Close();
        _waits.Close();
        // Those who wait for a cell meet the closed gate.
        _permits.Release(int.MaxValue / 2);
    }

    private void Release()
    {
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
