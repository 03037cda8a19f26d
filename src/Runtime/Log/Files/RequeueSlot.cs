using System.Text;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// The slot in a queue's control file by which one dead letter at a time becomes a message again: while <see cref="Decided"/> names a
/// position, the message there is enqueued and the letter is consumed, whichever process dies.
/// </summary>
/// <remarks>
/// Invariant: only the holder of the append lock writes the slot, and only after the letter that it named before is consumed. Until the
/// header at the position is stored, that holder has the append lock, or is dead: then the process that takes the lock over stores the
/// header. So the position is the tail as long as the header is missing.
/// </remarks>
internal sealed class RequeueSlot(MappedRegion region)
{
    private const int MostNameBytes = 104;

    /// <summary>The position of the message that is enqueued; 0 = none.</summary>
    public ref long Decided => ref region.Word(ControlFormat.RequeueOffset);

    private ref long Header => ref region.Word(ControlFormat.RequeueOffset + 8);

    private ref long Cell => ref region.Word(ControlFormat.RequeueOffset + 16);

    private ref long Message => ref region.Word(ControlFormat.RequeueOffset + 24);

    private Span<byte> IdBytes => region.Bytes(ControlFormat.RequeueOffset + 32, 16);

    private Span<byte> NameBytes => region.Bytes(ControlFormat.RequeueOffset + 48, MostNameBytes);

    /// <summary>Names the letter and the header of its message. The caller holds the append lock; nothing is decided.</summary>
    public void Write(long header, string subscription, in DecidedLease letter)
    {
        Header = header;
        Cell = letter.Cell;
        Message = letter.Message;
        letter.QueueId.TryWriteBytes(IdBytes);
        NameBytes.Clear();
        Encoding.ASCII.TryGetBytes(subscription, NameBytes, out _);
    }

    // SYNC POINT requeued: publishes what the slot names, and that the message is in place.
    public void Decide(long position) => MachineMemory.Store(ref Decided, position);

    /// <summary>Frees the slot, if it still decides about the message at this position: the letter is consumed.</summary>
    public void Release(long position) => MachineMemory.CompareExchange(ref Decided, 0, position);

    /// <summary>The subscription and the lease of the letter that becomes the message at a position.</summary>
    /// <returns>false if the slot decides about another one, or none.</returns>
    public bool TryRead(long position, out string subscription, out DecidedLease letter)
    {
        subscription = Encoding.ASCII.GetString(NameBytes).TrimEnd('\0');
        letter = new DecidedLease("", new Guid(IdBytes), subscription, (int)Cell, Message);
        // SYNC POINT requeued: what was read counts only if the slot decides about the same message before and afterwards.
        return position != 0 && MachineMemory.CompareExchange(ref Decided, position, position) == position;
    }

    /// <summary>The header of the message that is enqueued at this position; 0 if none is.</summary>
    public long HeaderAt(long position) => MachineMemory.Load(ref Decided) == position && position != 0 ? Header : 0;

    /// <summary>Whether the letter in a cell has become a message, and at which position.</summary>
    public bool Consumes(Guid letters, int cell, long message, out long position) =>
        TryRead(position = MachineMemory.Load(ref Decided), out _, out DecidedLease letter)
        && letter.QueueId == letters && letter.Cell == cell && letter.Message == message;

    /// <summary>Forgets what was decided: a recovery has determined what is in the log.</summary>
    public void Reset() => MachineMemory.Store(ref Decided, 0);
}
