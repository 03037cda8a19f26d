using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Platform;
using BlitQueue.Sharing;

namespace BlitQueue.Calls;

/// <summary>A server without its types: it finds calls, takes them, and asks which clients are dead.</summary>
internal sealed class RpcServerCore : IRpcWatched, IDisposable
{
    // While no call runs, clients are asked for once in so many looks.
    private const int LooksPerThoroughLook = 25;

    // To look at the cells of so many bits takes no time that counts.
    private const int FewBits = 4;

    private const int None = -1;

    private readonly Lock _sync = new();
    private readonly RpcChannel _channel;
    private readonly RpcServerOptions _options;
    private readonly AsyncWaitQueue _waits;
    private readonly Func<bool, bool> _look;
    private readonly RpcCounts _counts = new();

    // All guarded by the lock.
    private readonly RpcCallFile?[] _files = new RpcCallFile?[ControlFormat.MaximumParticipants];
    private readonly List<RpcContext> _running = [];
    private int _clients, _nextClient, _serving, _looks;
    private bool _isWatched, _isEnded, _isReleased;

    // Files of dead clients with running calls.
    private readonly HashSet<RpcCallFile> _dead = [];

    // Files without calls, in which threads may still be: one that waits for a client's bytes, or a handler that asks whether it is late.
    private readonly List<(RpcCallFile File, CallSnapshot Inside)> _retired = [];

    public RpcServerCore(RpcChannel channel, RpcServerOptions options)
    {
        (_channel, _options) = (channel, options);
        Reading = new CallGate(Release, OfServer);
        Gate = new CallGate(Reading.Close, OfServer);
        _waits = new AsyncWaitQueue(Gate, channel.Wake);
        _look = _ => LookForCalls();
        Parking = new RpcParking(options.Concurrency);
    }

    public CallGate Gate { get; }

    /// <summary>
    /// For handlers that read requests where they are, for as long as they like: memory is given back when both gates are empty. Not
    /// <see cref="Gate"/>, because files of clients that left stay mapped until all have left it that were inside. The file of a call that
    /// runs stays mapped anyway.
    /// </summary>
    public CallGate Reading { get; }

    /// <summary>Calls that have no thread, of those that threads have taken.</summary>
    public RpcParking Parking { get; }

    private ObjectDisposedException OfServer() => Disposed.Of("RpcServer", _channel.Path + ": the server");

    public string Path => _channel.Path;

    /// <summary>This server's owner word.</summary>
    public long Self => _channel.Self;

    public bool TellsStackTraces => _options.IncludeStackTraces;

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

    /// <summary>From now on clients count on this server.</summary>
    /// <exception cref="ObjectDisposedException">The server is disposed.</exception>
    public void BeginServing()
    {
        using CallGate.Call inside = Gate.Enter();
        lock (_sync)
        {
            if (_isEnded)
            {
                throw Gate.Disposed();
            }
            if (_serving++ == 0)
            {
                _channel.BeginServing();
            }
        }
    }

    /// <summary>Undoes one <see cref="BeginServing"/>.</summary>
    public void EndServing()
    {
        try
        {
            using CallGate.Call inside = Gate.Enter();
            lock (_sync)
            {
                if (--_serving == 0)
                {
                    _channel.EndServing();
                }
            }
        }
        catch (ObjectDisposedException)
        {
        }
    }

    /// <summary>Takes one call, of the next client that has any.</summary>
    /// <param name="context">Gets the call.</param>
    /// <param name="now">When that is, by <see cref="Stopwatch"/>; 0 where the caller does not know.</param>
    /// <returns>false if there is none.</returns>
    /// <exception cref="ObjectDisposedException">The server is disposed.</exception>
    public bool TryTake(RpcContext context, long now = 0)
    {
        using CallGate.Call inside = Gate.Enter();
        for (; ; )
        {
            int stranger = None;
            lock (_sync)
            {
                if (_isEnded)
                {
                    return false;
                }
                if (TryFind(context, now, ref stranger))
                {
                    return true;
                }
            }
            if (stranger == None)
            {
                return false;
            }
            Meet(stranger);
            now = 0;
        }
    }

    // Inside of the lock. Stops at a client whose file is not mapped: it is met without the lock, then found in its order.
    private bool TryFind(RpcContext context, long now, ref int stranger)
    {
        int firstWord = _nextClient / 64, firstBit = _nextClient % 64;
        for (int step = 0; step < RpcFormat.CallingWords; step++)
        {
            int word = (firstWord + step) % RpcFormat.CallingWords;
            for (ulong bits = BitOperations.RotateRight((ulong)_channel.Calling(word), firstBit); bits != 0; bits &= bits - 1)
            {
                int client = (word * 64) + ((BitOperations.TrailingZeroCount(bits) + firstBit) % 64);
                if (FileOf(client) is not { } file)
                {
                    stranger = client;
                    return false;
                }
                if (TryTakeFrom(file, client, context, now))
                {
                    _nextClient = (client + 1) % ControlFormat.MaximumParticipants;
                    return true;
                }
            }
        }
        return false;
    }

    private bool TryTakeFrom(RpcCallFile file, int client, RpcContext context, long now)
    {
        // A thread that spins leaves the hints as they are: clearing and setting them would take their lines from one process to the other
        // with each call.
        long pending = file.Hints.Pending;
        if (pending == 0 && (context.Blocks || file.Hints.TryClearCalling()))
        {
            return false;
        }
        // In front of the taking: behind it nothing may fail, because no other server would get the call.
        _running.EnsureCapacity(_running.Count + 1);
        int first = file.NextBit;
        for (ulong bits = BitOperations.RotateRight((ulong)pending, first); bits != 0; bits &= bits - 1)
        {
            int bit = (BitOperations.TrailingZeroCount(bits) + first) % RpcFormat.Bits;
            if (TryTakeAt(file, bit, clears: !context.Blocks) is { } cell)
            {
                FailPoint.Reach(ProtocolStep.CallTaken);
                file.NextBit = (bit + 1) % RpcFormat.Bits;
                file.Users++;
                context.RunningIndex = _running.Count;
                _running.Add(context);
                context.Begin(file, cell, now != 0 ? now : Stopwatch.GetTimestamp());
                _counts.Begin();
                return true;
            }
        }
        return false;
    }

    // By a thread that has found no call for a while. Without the last look: of clients that have so many bits that to look at their cells
    // takes long.
    private void ClearHints(bool isLast)
    {
        lock (_sync)
        {
            for (int client = _channel.NextCalling(0); client >= 0; client = _channel.NextCalling(client + 1))
            {
                if (_files[client] is { } file && (isLast || BitOperations.PopCount((ulong)file.Hints.Pending) > FewBits))
                {
                    file.Hints.TryClear(file.HasQueuedAt);
                }
            }
        }
    }

    // The file of a client, mapped; null if the client is to be met, because it is new.
    private RpcCallFile? FileOf(int client) =>
        _files[client] is { } file && file.Owner == MachineMemory.Load(ref _channel.Client(client)) ? file : null;

    // Whether a client has calls, or is to be met. The caller is inside of the gate, so that no file is unmapped meanwhile.
    private bool HasCalls()
    {
        for (int client = _channel.NextCalling(0); client >= 0; client = _channel.NextCalling(client + 1))
        {
            if (FileOf(client) is not { HasQueued: false })
            {
                return true;
            }
        }
        return false;
    }

    // Whether a thread that serves has something to do.
    private bool HasWork() => Parking.HasWhole || HasCalls();

    // The cell of a call that is this server's from now on; null if there is none.
    private int? TryTakeAt(RpcCallFile file, int bit, bool clears)
    {
        if (clears)
        {
            file.Hints.ClearPending(bit);
        }
        int? taken = null;
        for (int cell = bit; cell < file.Cells; cell += RpcFormat.Bits)
        {
            RpcCell<MachineMemory> call = file[cell].Cell;
            if (call.State != RpcState.Queued)
            {
                continue;
            }
            if (taken is not null)
            {
                // Another one waits: for this server's next look, or for another server.
                file.Hints.Announce(bit);
                break;
            }
            file[cell].ExpectRequest();
            if (call.TryTake(Self))
            {
                taken = cell;
                if (!clears)
                {
                    break;
                }
            }
        }
        return taken;
    }

    // Maps the file of a client that this server has not seen yet, or says that it has no calls. System calls are made without the lock.
    private void Meet(int client)
    {
        long owner = MachineMemory.Load(ref _channel.Client(client));
        bool isAlive = owner != 0 && _channel.IsAlive(owner);
        RpcCallFile? file = isAlive ? RpcCallFile.TryOpen(_channel, Gate, owner) : null, former;
        lock (_sync)
        {
            former = _files[client];
            if (former is not null && former.Owner == owner)
            {
                // Another thread has met it meanwhile.
                former = null;
            }
            else
            {
                Replace(client, former, _isEnded ? null : file);
            }
            if (_files[client] is null)
            {
                _channel.ClearCalling(client);
            }
            if (_files[client] == file)
            {
                file = null;
            }
        }
        file?.Dispose();
        if (former is not null)
        {
            Delete(client, former.Owner);
        }
        if (owner != 0 && !isAlive)
        {
            Delete(client, owner);
        }
    }

    // Inside of the lock.
    private void Replace(int client, RpcCallFile? former, RpcCallFile? file)
    {
        if (former is not null)
        {
            Forget(client, former);
        }
        if (file is null)
        {
            return;
        }
        if (!_isWatched)
        {
            RpcWatch.Add(this);
            _isWatched = true;
        }
        _files[client] = file;
        _clients++;
    }

    // Inside of the lock: the client is dead, or has left.
    private void Forget(int client, RpcCallFile file)
    {
        _files[client] = null;
        _clients--;
        file.IsDead = true;
        if (file.Users == 0)
        {
            Retire(file);
        }
        else
        {
            _dead.Add(file);
        }
    }

    // Inside of the lock: nothing leads to the file any more.
    private void Retire(RpcCallFile file)
    {
        file.Waits.Close();
        _retired.Add((file, Gate.Everyone()));
    }

    // Whether there was one.
    private bool UnmapRetired() => _retired.RemoveAll(static one =>
    {
        if (one.Inside.IsOver)
        {
            one.File.Dispose();
        }
        return one.Inside.IsOver;
    }) > 0;

    // Where no mapped file is deleted, the file of a client that has left has another name by now.
    private void DeleteUnmapped()
    {
        if (CurrentPlatform.Instance.ReplacesMapped)
        {
            return;
        }
        try
        {
            UnfinishedSharedFile.DeleteDead(_channel.Path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The next process that joins tries it, too.
        }
    }

    private void Delete(int client, long owner)
    {
        MachineMemory.CompareExchange(ref _channel.Client(client), 0, owner);
        try
        {
            UnfinishedSharedFile.Delete(_channel.CallsOf(owner));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The next process that joins tries it, too.
        }
    }

    /// <summary>The call is over. The caller touches its memory no more.</summary>
    public void End(RpcContext context, Exception? failure)
    {
        try
        {
            context.End(failure);
        }
        finally
        {
            Finish(context, RpcEnd.Cancelled);
        }
    }

    /// <summary>Counts a call, once, and needs its memory no more. The caller is inside of the gate if it does.</summary>
    public void Finish(RpcContext context, RpcEnd how)
    {
        if (context.RunningIndex == None)
        {
            return;
        }
        TimeSpan time = Stopwatch.GetElapsedTime(context.Began);
        lock (_sync)
        {
            _counts.End(how, time);
            Forget(context);
        }
        context.RunningIndex = None;
    }

    // Inside of the lock.
    private void Forget(RpcContext context)
    {
        RpcContext last = _running[^1];
        _running[context.RunningIndex] = last;
        last.RunningIndex = context.RunningIndex;
        _running.RemoveAt(_running.Count - 1);
        RpcCallFile file = context.File;
        if (--file.Users == 0 && file.IsDead && !_isReleased)
        {
            _dead.Remove(file);
            Retire(file);
        }
    }

    /// <summary>Whether the handler's work is of no use any more.</summary>
    public bool IsGivenUp(RpcContext context)
    {
        try
        {
            using CallGate.Call inside = Gate.Enter();
            return context.IsGivenUp;
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
    }

    /// <summary>Waits on the calling thread until a client may have a call; comes back now and then without.</summary>
    /// <returns>When that was, by <see cref="Stopwatch"/>; 0 where it has not looked at the clock then.</returns>
    public long Wait()
    {
        using CallGate.Call inside = Gate.Enter();
        var spin = new RpcSpin(_options.SpinDuration);
        while (!HasWork())
        {
            if (spin.IsDue)
            {
                ClearHints(isLast: false);
            }
            if (!spin.TryOnce())
            {
                ClearHints(isLast: true);
                int ticket = _channel.Wake.PrepareWait<MachineMemory>();
                if (!_channel.IsAnyCalling && !Parking.HasWhole && !Gate.IsClosed)
                {
                    _channel.Wake.Wait<MachineMemory>(ticket, EventCount.LongestSleep);
                }
                return 0;
            }
        }
        return spin.Now;
    }

    /// <summary>Waits for it without a thread.</summary>
    public ValueTask WaitAsync(CancellationToken cancellationToken) => _waits.WaitAsync(_look, cancellationToken);

    private bool LookForCalls()
    {
        using CallGate.Call inside = Gate.Enter();
        return _channel.IsAnyCalling;
    }

    /// <summary>
    /// Spins on the calling thread for the client's side of a long request or reply, as long as the thread has nothing else to do.
    /// </summary>
    /// <returns>false if it has not come.</returns>
    public bool Spin(Func<bool, bool> look)
    {
        using CallGate.Call inside = Gate.Enter();
        var spin = new RpcSpin(_options.SpinDuration);
        while (!look(false))
        {
            if (HasWork() || !spin.TryOnce())
            {
                return false;
            }
        }
        return true;
    }

    /// <summary>Waits for it without a thread.</summary>
    public async ValueTask WaitAsync(RpcCallFile file, Func<bool, bool> look, CancellationToken cancellationToken)
    {
        try
        {
            await file.Waits.WaitAsync(look, cancellationToken).ConfigureAwait(false);
        }
        catch (OutOfMemoryException)
        {
            // The system gives no thread to wait with: the caller looks as often as the watch, until it does.
            await Task.Delay(RpcWatch.Period, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>A request that has come without a thread is whole: a thread that serves goes on with the call.</summary>
    public void GoOn(RpcContext context)
    {
        Parking.Give(context);
        try
        {
            using CallGate.Call inside = Gate.Enter();
            _channel.Wake.NotifyWaiters<MachineMemory>();
        }
        catch (ObjectDisposedException)
        {
            // The threads that serve are about to see it.
        }
    }

    /// <summary>A call is over that has no thread.</summary>
    public void EndParked(RpcContext context, Exception? failure)
    {
        try
        {
            End(context, failure);
        }
        finally
        {
            Parking.Leave();
        }
    }

    /// <summary>Tells the options' listener of a handler's exception.</summary>
    public void Tell(Exception exception)
    {
        try
        {
            _options.OnFault?.Invoke(exception);
        }
        catch (Exception)
        {
            // What a listener throws is not the client's.
        }
    }

    public void LookAtPeers()
    {
        (RpcContext Context, long Version)[] over = [];
        bool isUnmapped = false;
        try
        {
            using CallGate.Call inside = Gate.Enter();
            // Only this timer's thread counts the looks.
            if (++_looks % LooksPerThoroughLook == 0 || HasRunning())
            {
                ForgetDead();
            }
            lock (_sync)
            {
                over = Versions(_running.Where(static context => context.IsGivenUp));
                isUnmapped = UnmapRetired();
                if (_clients == 0 && _running.Count == 0 && _retired.Count == 0)
                {
                    _isWatched = false;
                    RpcWatch.Remove(this);
                }
            }
        }
        catch (ObjectDisposedException)
        {
            RpcWatch.Remove(this);
        }
        if (isUnmapped)
        {
            DeleteUnmapped();
        }
        Cancel(over);
    }

    private bool HasRunning()
    {
        lock (_sync)
        {
            return _running.Count > 0;
        }
    }

    // Asks the system without the lock.
    private void ForgetDead()
    {
        (int Client, RpcCallFile File)[] known;
        lock (_sync)
        {
            known = [.. _files.Index().Where(static one => one.Item is not null).Select(static one => (one.Index, one.Item!))];
        }
        foreach ((int client, RpcCallFile file) in known)
        {
            if (!_channel.IsAlive(file.Owner))
            {
                Lose(client, file);
                Delete(client, file.Owner);
            }
        }
    }

    private void Lose(int client, RpcCallFile file)
    {
        lock (_sync)
        {
            if (_files[client] == file)
            {
                Forget(client, file);
            }
        }
    }

    // Which call a context is used for is known inside of the lock.
    private static (RpcContext Context, long Version)[] Versions(IEnumerable<RpcContext> contexts) =>
        [.. contexts.Select(static context => (context, context.Version))];

    // Outside of the lock: tokens run the code of handlers.
    private static void Cancel((RpcContext Context, long Version)[] calls) =>
        Array.ForEach(calls, static call => call.Context.Cancel(call.Version));

    /// <summary>Takes no calls any more, and cancels the tokens of handlers that run.</summary>
    public void Dispose()
    {
        if (TryEnd() is { } running)
        {
            EndAll(running);
        }
        // Where no mapped file is deleted, the last process that unmaps those of clients deletes them. The watch, or who reads a request
        // where it is, may be inside for a moment, and a process that ends before they have left would leave them behind.
        if (!CurrentPlatform.Instance.ReplacesMapped)
        {
            Reading.AwaitRelease();
        }
    }

    // The calls that run; null if another thread has ended the server.
    private (RpcContext Context, long Version)[]? TryEnd()
    {
        lock (_sync)
        {
            if (_isEnded)
            {
                return null;
            }
            _isEnded = true;
            return Versions(_running);
        }
    }

    private void EndAll((RpcContext Context, long Version)[] running)
    {
        RpcWatch.Remove(this);
        using (Gate.Enter())
        {
            _channel.EndServing();
        }
        Gate.Close();
        _waits.Close();
        // After the gate: so no handler that ends by its token answers, and each client learns that the server is gone.
        Cancel(running);
    }

    private void Release()
    {
        lock (_sync)
        {
            _isReleased = true;
            foreach (RpcCallFile? file in _files)
            {
                file?.Dispose();
            }
            foreach (RpcCallFile file in _dead.Concat(_retired.Select(static one => one.File)))
            {
                file.Dispose();
            }
        }
        DeleteUnmapped();
        _channel.Dispose();
    }
}
