using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// One open queue handle as others see it: an index in the control file's table, and a lock on a byte of the lock file, which the kernel
/// releases when the handle is closed or its process dies. That lock alone says who is alive: no process id, clock or heartbeat does.
/// </summary>
internal sealed class Participant : IDisposable
{
    /// <summary>How long a disposed handle may still count as open, where that is refused.</summary>
    public static readonly TimeSpan LongestClosing = TimeSpan.FromMilliseconds(100);

    // So many processes are named in a message.
    private const int MostNamed = 5;

    // The same if it is this process's, which knows of it.
    private static readonly TimeSpan LongestOwnClosing = TimeSpan.FromSeconds(10);

    private readonly ControlFile _control;
    private readonly SafeFileHandle _locks;
    private readonly int _index;

    private Participant(ControlFile control, SafeFileHandle locks, int index, HashSet<long>? names)
    {
        _control = control;
        _locks = locks;
        _index = index;
        // What an earlier participant with this index held when it died is free now.
        SeekHold = control.HoldWord(index, ControlFormat.SeekHoldOffset);
        NamingHold = control.HoldWord(index, ControlFormat.NamingHoldOffset);
        MachineMemory.Store(ref SeekHold.Value, 0);
        MachineMemory.Store(ref NamingHold.Value, 0);
        ControlFile.Raise<MachineMemory>(ref control.ParticipantsEnd, index + 1);
        // A new incarnation tells this participant from an earlier one with the same index, whose lock or leases no other may have taken
        // over yet.
        uint incarnation = After((uint)control.Incarnation(index));
        while (names?.Contains(ControlFormat.OwnerWord(index, incarnation)) == true)
        {
            incarnation = After(incarnation);
        }
        MachineMemory.Store(ref control.Incarnation(index), (int)incarnation);
        // Behind the incarnation: who finds them clear, and then the old incarnation, knows that the old participant was not inside.
        MachineMemory.Store(ref control.InsideWord(index).Value, 0);
        MachineMemory.Store(ref control.GrantsWord(index).Value, 0);
        MachineMemory.Store(ref control.ProcessId(index), Environment.ProcessId);
        OwnerWord = ControlFormat.OwnerWord(index, incarnation);
    }

    // From 1 on; the highest bit is free for marks.
    private static uint After(uint incarnation) => incarnation >= int.MaxValue ? 1 : incarnation + 1;

    /// <summary>What this participant writes into a word to own it; never 0.</summary>
    public long OwnerWord { get; }

    /// <summary>For <see cref="SegmentHold"/>, while a position moves back.</summary>
    public SharedWord<long> SeekHold { get; }

    /// <summary>For <see cref="SegmentHold"/>, while a file gets a segment's name.</summary>
    public SharedWord<long> NamingHold { get; }

    /// <summary>The first segment that any living participant holds; <see cref="long.MaxValue"/> where none holds one.</summary>
    public long FirstHeld()
    {
        long first = long.MaxValue;
        long end = Math.Clamp(MachineMemory.Load(ref _control.ParticipantsEnd), 0, ControlFormat.MaximumParticipants);
        for (int index = 0; index < end; index++)
        {
            first = Math.Min(
                first, Math.Min(HeldFrom(index, ControlFormat.SeekHoldOffset), HeldFrom(index, ControlFormat.NamingHoldOffset)));
        }
        return first;
    }

    private long HeldFrom(int index, int offset)
    {
        // SYNC POINT first retained: acquires the position or the name that was the reason for a hold that has ended.
        long held = MachineMemory.Load(ref _control.HoldWord(index, offset).Value);
        return held > 0 && (index == _index || CurrentPlatform.Instance.IsByteLocked(_locks, StoreFormat.FirstParticipantLock + index))
            ? held - 1
            : long.MaxValue;
    }

    /// <summary>The index of this participant's entry in the control file, and in a subscription's list of users.</summary>
    public int Index => _index;

    /// <summary>Takes the first free index, and an owner word that is none of those given.</summary>
    /// <exception cref="QueueException">All indexes are taken.</exception>
    public static Participant Join(ControlFile control, SafeFileHandle locks, string path, HashSet<long>? names = null)
    {
        for (int index = 0; index < ControlFormat.MaximumParticipants; index++)
        {
            if (CurrentPlatform.Instance.TryLockByte(locks, StoreFormat.FirstParticipantLock + index))
            {
                return new Participant(control, locks, index, names);
            }
        }
        throw new QueueException(
            $"{path} is open {ControlFormat.MaximumParticipants} times already, which is the most. Share one handle per process.")
        { Reason = QueueError.TooManyHandles, Path = path };
    }

    /// <summary>
    /// Whether the participant that wrote this owner word still lives. True may be outdated by the time it is returned; false is final.
    /// </summary>
    public bool IsAlive<TMem>(long ownerWord) where TMem : struct, ISharedMemory =>
        ownerWord == OwnerWord || IsAlive<TMem>(_control, _locks, ownerWord);

    /// <summary>The same, for a caller that is no participant.</summary>
    public static bool IsAlive<TMem>(ControlFile control, SafeFileHandle locks, long ownerWord) where TMem : struct, ISharedMemory =>
        IsKnown<TMem>(control, ownerWord)
            && TMem.IsByteLocked(locks, StoreFormat.FirstParticipantLock + ControlFormat.ParticipantIndex(ownerWord));

    /// <summary>Whether the latest participant with its index has this owner word. If not, no living participant has it.</summary>
    public static bool IsKnown<TMem>(ControlFile control, long ownerWord) where TMem : struct, ISharedMemory
    {
        int index = ControlFormat.ParticipantIndex(ownerWord);
        return (uint)index < ControlFormat.MaximumParticipants
            && (uint)TMem.Load(ref control.Incarnation(index)) == ControlFormat.Incarnation(ownerWord);
    }

    /// <summary>Whether any other participant lives. Only meaningful while the opening lock is held.</summary>
    public static bool AnyAlive(SafeFileHandle locks) =>
        CurrentPlatform.Instance.IsAnyByteLocked(locks, StoreFormat.FirstParticipantLock, ControlFormat.MaximumParticipants);

    /// <exception cref="QueueException">A process of another system on this machine has the queue open.</exception>
    public static void RefuseElsewhere(SafeFileHandle locks, string directory)
    {
        if (CurrentPlatform.Instance.IsAnyByteLockedElsewhere(
            locks, StoreFormat.FirstParticipantLock, ControlFormat.MaximumParticipants))
        {
            throw new QueueException(
                $"{directory} is open in a process of another system on this machine: Linux and Wine cannot use a queue at the same time, "
                + "because neither wakes the other. Nothing was changed. End the processes of one of them, then open the queue.")
            { Reason = QueueError.InUse, Path = directory };
        }
    }

    /// <remarks>Waits a moment: a thread of this library may still be inside of a handle that was disposed.</remarks>
    /// <exception cref="QueueException">A process has the queue open.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static void RefuseAlive(SafeFileHandle locks, string directory, string what, CancellationToken cancellationToken)
    {
        for (long started = Stopwatch.GetTimestamp(); AnyAlive(locks); Thread.Sleep(1))
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (Stopwatch.GetElapsedTime(started) > (ClosingHandles.AreOf(directory) ? LongestOwnClosing : LongestClosing))
            {
                int[] processes = LivingProcesses(locks, directory);
                string names = processes.Length == 0
                    ? ""
                    : $" in process {string.Join(", ", processes.Take(MostNamed))}{(processes.Length > MostNamed ? " and others" : "")}";
                throw new QueueException(
                    $"{directory} is open{names}. Dispose every handle to it, or end the processes that have it open, before it is {what}.")
                { Reason = QueueError.InUse, Path = directory, ProcessId = processes.Length == 0 ? null : processes[0] };
            }
        }
    }

    // For a message to people: the file may be damaged, and is not mapped here. Empty where nothing says who it is, as of a store.
    private static int[] LivingProcesses(SafeFileHandle locks, string directory)
    {
        var files = new QueueFiles(directory, FileRights.OwnerAlone, FileAccess.Read);
        byte[] participants = new byte[ControlFormat.ParticipantSize * ControlFormat.MaximumParticipants];
        try
        {
            if (!files.TryRead(StoreFormat.ControlName, ControlFormat.ParticipantsOffset, participants))
            {
                return [];
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or QueueException)
        {
            return [];
        }
        return
        [
            .. Enumerable.Range(0, ControlFormat.MaximumParticipants)
                .Where(index => CurrentPlatform.Instance.IsByteLocked(locks, StoreFormat.FirstParticipantLock + index))
                .Select(index => BinaryPrimitives.ReadInt32LittleEndian(
                    participants.AsSpan((index * ControlFormat.ParticipantSize) + ControlFormat.ProcessIdOffset)))
                .Where(static process => process > 0).Distinct(),
        ];
    }

    /// <summary>
    /// Whether the process of a living participant may have a processor, wait for one, or wait for its disk. False where the system says
    /// that none of its threads does: it is stopped, suspended or in a debugger. True where the system does not tell.
    /// </summary>
    /// <remarks>
    /// While the garbage collector of a healthy process works, at least one of a few looks finds one of its threads running.
    /// </remarks>
    public bool MayRun(long ownerWord)
    {
        int index = ControlFormat.ParticipantIndex(ownerWord);
        return (uint)index >= ControlFormat.MaximumParticipants || MayRun(_control.ProcessId(index));
    }

    /// <summary>The same for a process.</summary>
    public static bool MayRun(int process)
    {
        const int looks = 3;
        for (int look = 0; look < looks; look++)
        {
            if (CurrentPlatform.Instance.MayRun(process))
            {
                return true;
            }
            Thread.Sleep(1);
        }
        return false;
    }

    /// <summary>Names the writer of an owner word for a message to people.</summary>
    public string Describe(long ownerWord) => ProcessOf(ownerWord) is { } process ? $"process {process}" : "an unknown process";

    /// <summary>
    /// The process of the writer of an owner word; null where nothing says so, as for a dead one whose index has a successor.
    /// </summary>
    public int? ProcessOf(long ownerWord)
    {
        int index = ControlFormat.ParticipantIndex(ownerWord);
        if ((uint)index >= ControlFormat.MaximumParticipants)
        {
            return null;
        }
        // A successor writes its incarnation first: if that is still the old one afterwards, so was the process.
        int process = MachineMemory.Load(ref _control.ProcessId(index));
        return IsKnown<MachineMemory>(_control, ownerWord) ? process : null;
    }

    public void Dispose() => CurrentPlatform.Instance.UnlockByte(_locks, StoreFormat.FirstParticipantLock + _index);
}
