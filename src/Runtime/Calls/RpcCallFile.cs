using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Platform;
using BlitQueue.Sharing;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Calls;

/// <summary>The file of one client's calls, mapped by the client, or by a server.</summary>
internal sealed class RpcCallFile : IDisposable
{
    private const int HeaderSize = 24;

    // So many blocks are taken as long as there is memory at all.
    private const int FewBlocks = 16;

    // How long a client waits for others that have taken its new file for a dead client's.
    private static readonly TimeSpan LongestTaking = TimeSpan.FromSeconds(10);

    // Of the client alone: its lock says that the client lives.
    private readonly SafeFileHandle? _own;
    private readonly string _path;
    private readonly bool _isReserved;

    // Of a server, from 1 on: which blocks have memory, as far as it has looked.
    private readonly bool[] _isBacked;
    // Of each cell, made when first used; two threads may make the same one.
    private readonly EventCount?[] _wakes;

    private RpcCallFile(
        MappedRegion region, string path, RpcChannel channel, CallGate gate, bool isOwn, long owner, int cells, int blocks)
    {
        (Region, _path, Owner, Cells, Blocks) = (region, path, owner, cells, blocks);
        _isBacked = isOwn ? [] : new bool[blocks + 1];
        Hints = channel.HintsOf(ControlFormat.ParticipantIndex(owner), region.SharedWord(RpcFormat.PendingOffset));
        HasQueuedAt = IsQueuedAt;
        ProcessId = isOwn ? null : channel.ProcessOf(owner);
        Answered = new RpcAnswered<MachineMemory>(region.SharedWord(RpcFormat.AnsweredOffset));
        _wakes = new EventCount?[cells];
        ClientWake = new EventCount(region, RpcFormat.ClientWakeOffset);
        ServerWake = new EventCount(region, RpcFormat.ServerWakeOffset);
        Waits = new AsyncWaitQueue(gate, isOwn ? ClientWake : ServerWake);
    }

    private RpcCallFile(SafeFileHandle own, string path, RpcChannel channel, CallGate gate, bool isReserved, int cells, int blocks)
        : this(new MappedRegion(own, RpcFormat.SizeOf(cells, blocks)), path, channel, gate, isOwn: true, channel.Self, cells, blocks)
        => (_own, _isReserved) = (own, isReserved);

    public MappedRegion Region { get; }

    /// <summary>The client.</summary>
    public long Owner { get; }

    public int Cells { get; }

    public int Blocks { get; }

    /// <summary>What the client's tasks wait for: <see cref="Answered"/> has bits, or a stream has bytes.</summary>
    public EventCount ClientWake { get; }

    /// <summary>What servers sleep on while they wait for bytes of a long request, or for space for a long reply.</summary>
    public EventCount ServerWake { get; }

    /// <summary>
    /// Asynchronous waits of the handle that mapped the file: a client's for its calls, a server's for the client's side of long requests
    /// and replies. They are made with the mapping, because making them reads their word.
    /// </summary>
    public AsyncWaitQueue Waits { get; }

    /// <summary>Of a server, guarded by its lock: how many of its calls use the mapping.</summary>
    public int Users { get; set; }

    /// <summary>Of a server, guarded by its lock: the client is dead.</summary>
    public bool IsDead { get; set; }

    /// <summary>Of a server, guarded by its lock: the bit at which it looks first.</summary>
    public int NextBit { get; set; }

    /// <summary>The call in a cell.</summary>
    public RpcCallWords this[int cell] => new(this, cell, default);

    /// <summary>Which cells may have calls.</summary>
    public RpcHints<MachineMemory> Hints { get; }

    /// <summary>Whether a cell of a bit has a call that waits.</summary>
    public Func<int, bool> HasQueuedAt { get; }

    /// <summary>Of a server: the client's process; null where nothing says so.</summary>
    public int? ProcessId { get; }

    /// <summary>Whether a call waits, as far as the hints tell.</summary>
    public bool HasQueued
    {
        get
        {
            for (ulong bits = (ulong)Hints.Pending; bits != 0; bits &= bits - 1)
            {
                if (IsQueuedAt(BitOperations.TrailingZeroCount(bits)))
                {
                    return true;
                }
            }
            return false;
        }
    }

    private bool IsQueuedAt(int bit)
    {
        for (int cell = bit; cell < Cells; cell += RpcFormat.Bits)
        {
            if (this[cell].Cell.State == RpcState.Queued)
            {
                return true;
            }
        }
        return false;
    }

    /// <summary>Which calls the client's pump should look at.</summary>
    public RpcAnswered<MachineMemory> Answered { get; }

    /// <summary>Has the client's pump look at a call.</summary>
    public void SetAnswered(int cell)
    {
        Answered.Set(cell);
        ClientWake.NotifyWaiters<MachineMemory>();
    }

    /// <summary>What a thread of the client sleeps on that waits for the call in a cell.</summary>
    public EventCount WakeOf(int cell) =>
        _wakes[cell] ??= new EventCount(Region, RpcFormat.CellAt(cell) + RpcFormat.WakeOffset);

    /// <summary>Wakes the caller of a call, and no other thread; after an answer, or bytes.</summary>
    /// <param name="cell">The cell.</param>
    /// <param name="marks">The call's marks.</param>
    public void NotifyCaller(int cell, int marks)
    {
        if ((marks & RpcFormat.OnThread) != 0)
        {
            WakeOf(cell).NotifyWaiters<MachineMemory>();
        }
        else
        {
            SetAnswered(cell);
        }
    }

    /// <summary>Makes the file of the channel's own handle.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    public static RpcCallFile Make(RpcChannel channel, CallGate gate, int cells, int blocks, CancellationToken cancellationToken)
    {
        string path = channel.CallsOf(channel.Self);
        for (long started = Stopwatch.GetTimestamp(); ;)
        {
            // No other handle makes a file of this name: a process that joins has taken it for a dead client's. It is about to delete it,
            // or has died.
            cancellationToken.ThrowIfCancellationRequested();
            if (CurrentPlatform.Instance.IsThere(path) && Stopwatch.GetElapsedTime(started) < LongestTaking)
            {
                Thread.Sleep(1);
                UnfinishedSharedFile.DeleteDead(channel.Path);
                continue;
            }
            SafeFileHandle file = CurrentPlatform.Instance.OpenFile(path, FileMode.CreateNew, FileAccess.ReadWrite, channel.Rights);
            bool isLocked = false, isMade = false;
            try
            {
                // The process with the lock alone deletes the file: for others the name may be a newer file's by then.
                isLocked = CurrentPlatform.Instance.TryLockByte(file, StoreFormat.OpeningLockByte)
                    && CurrentPlatform.Instance.LeadsTo(path, file) != false;
                if (isLocked)
                {
                    bool isReserved = Reserve(file, cells, ref blocks);
                    QueueFiles.Write(file, Header(channel.Self, cells, blocks), 0);
                    var made = new RpcCallFile(file, path, channel, gate, isReserved, cells, blocks);
                    isMade = true;
                    FailPoint.Reach(ProtocolStep.CallFileMade);
                    return made;
                }
            }
            finally
            {
                if (isLocked && !isMade)
                {
                    UnfinishedSharedFile.Delete(path);
                }
                if (!isMade)
                {
                    file.Dispose();
                }
            }
        }
    }

    // Whether the blocks are reserved too; then there are few.
    private static bool Reserve(SafeFileHandle file, int cells, ref int blocks)
    {
        if (blocks > 0
            && CurrentPlatform.Instance.TryReserve(file, RpcFormat.SizeOf(cells, blocks), 0, RpcFormat.BlocksAt(cells)))
        {
            return false;
        }
        blocks = Math.Min(blocks, FewBlocks);
        RandomAccess.SetLength(file, 0);
        CurrentPlatform.Instance.Preallocate(file, RpcFormat.SizeOf(cells, blocks));
        return true;
    }

    private static byte[] Header(long owner, int cells, int blocks)
    {
        byte[] header = new byte[HeaderSize];
        BinaryPrimitives.WriteInt64LittleEndian(header, RpcFormat.Magic);
        BinaryPrimitives.WriteInt64LittleEndian(header.AsSpan(RpcFormat.OwnerOffset), owner);
        BinaryPrimitives.WriteInt32LittleEndian(header.AsSpan(RpcFormat.CellsOffset), cells);
        BinaryPrimitives.WriteInt32LittleEndian(header.AsSpan(RpcFormat.BlocksOffset), blocks);
        return header;
    }

    /// <summary>By the client: gives a block its memory before it is used for the first time.</summary>
    /// <param name="block">From 1 on.</param>
    /// <returns>false if there is no memory, or the system refuses: a call can do without a block.</returns>
    public bool TryReserve(int block)
    {
        try
        {
            return _isReserved || ((block <= FewBlocks || IsHalfFree()) && CurrentPlatform.Instance.TryReserve(
                _own!, RpcFormat.SizeOf(Cells, Blocks), RpcFormat.BlockAt(Cells, block), RpcFormat.BlockSize));
        }
        catch (Exception exception) when (SharedRefusal.Is(exception))
        {
            return false;
        }
    }

    // One client with many long calls leaves memory to others.
    private bool IsHalfFree() => FileSystems.SpaceOf(_path) is var (free, total) && free > total / 2;

    /// <summary>
    /// By a server, in front of its first access to a block: a client that is at fault may name one that it has not reserved, and where
    /// there is no memory, the system ends a process that touches it.
    /// </summary>
    /// <returns>false if it has no memory, and gets none.</returns>
    public bool TryBack(int block)
    {
        if (block == 0 || _isBacked[block])
        {
            return true;
        }
        try
        {
            using SafeFileHandle file = OpenTheirs(_path);
            return _isBacked[block] = TryBack(
                file, RpcFormat.SizeOf(Cells, Blocks), RpcFormat.BlockAt(Cells, block), RpcFormat.BlockSize);
        }
        catch (Exception exception) when (SharedRefusal.Is(exception))
        {
            return false;
        }
    }

    // false if there is no memory. Where the system makes no files with holes, or refuses to tell, there is nothing that a server could do.
    private static bool TryBack(SafeFileHandle file, long size, long offset, long length)
    {
        try
        {
            CurrentPlatform.Instance.TryReserve(file, size, offset, length);
            return true;
        }
        catch (Exception exception) when (SharedRefusal.Is(exception))
        {
            return exception is not IOException refusal || !DiskFullException.Is(refusal);
        }
    }

    private static SafeFileHandle OpenTheirs(string path) =>
        CurrentPlatform.Instance.OpenFile(path, FileMode.Open, FileAccess.ReadWrite, FileRights.OwnerAlone);

    /// <summary>By a server: the file of a client.</summary>
    /// <returns>null if it is not there, or is no such file.</returns>
    public static RpcCallFile? TryOpen(RpcChannel channel, CallGate gate, long owner)
    {
        try
        {
            string path = channel.CallsOf(owner);
            using SafeFileHandle file = OpenTheirs(path);
            byte[] header = new byte[HeaderSize];
            int read = RandomAccess.Read(file, header, 0);
            int cells = BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(RpcFormat.CellsOffset)),
                blocks = BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(RpcFormat.BlocksOffset));
            if (read != HeaderSize || cells is <= 0 or > RpcFormat.MostCells || blocks is < 0 or > RpcFormat.MostBlocks
                || !header.AsSpan().StartsWith(Header(owner, cells, blocks))
                || RandomAccess.GetLength(file) != RpcFormat.SizeOf(cells, blocks)
                // As for a block: nothing but the client says that it has reserved its cells.
                || !TryBack(file, RpcFormat.SizeOf(cells, blocks), 0, RpcFormat.BlocksAt(cells)))
            {
                return null;
            }
            return new RpcCallFile(
                new MappedRegion(file, RpcFormat.SizeOf(cells, blocks)), path, channel, gate, isOwn: false, owner, cells, blocks);
        }
        catch (Exception exception) when (SharedRefusal.Is(exception))
        {
            // The client asks again, where it lives.
            return null;
        }
    }

    /// <summary>Ends the mapping; the client's own handle also ends the file.</summary>
    public void Dispose()
    {
        Waits.Close();
        Region.Dispose();
        if (_own is not null)
        {
            try
            {
                UnfinishedSharedFile.Delete(_path);
            }
            catch (Exception exception) when (SharedRefusal.Is(exception))
            {
                // The next process that joins tries it, too.
            }
        }
        _own?.Dispose();
    }
}
