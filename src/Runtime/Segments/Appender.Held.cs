using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <content>
/// Appending by the queue's only producer: the turn is taken once and held. Records are written and published as ever, so a death leaves
/// what the death of any holder does; only nothing is exchanged.
/// </content>
/// <remarks>
/// The appender's own turn is another word then, of this process alone: the ways of appending that take more than a look take and pass that
/// one, and need not know. It keeps two threads apart there, should they meet.
/// </remarks>
internal sealed partial class Appender<TMem>
{
    private readonly SharedWord<long> _failed = control.FailedWord;
    private bool _holds;

    /// <summary>Takes the turn to keep it, and says so: who else wants to append is refused.</summary>
    /// <param name="shared">Waits for the turn that all processes share.</param>
    /// <param name="patience">For how long.</param>
    /// <exception cref="QueueException">Another has it likewise; or as for any who append.</exception>
    public void Hold(TurnWait<TMem> shared, TimeSpan patience)
    {
        // SYNC POINT turn: acquires what the holder before wrote at the tail.
        bool fromTheDead = TMem.CompareExchange(ref control.Turn, _me, 0) != 0 && shared.TakeTurn(patience);
        try
        {
            FailPoint.Reach(ProtocolStep.AppendTurnTaken);
            if (fromTheDead)
            {
                Repair();
            }
            EnterSegment(TailWord());
        }
        catch
        {
            TMem.Store(ref control.Turn, 0);
            throw;
        }
        TMem.Store(ref control.Sole, _me);
        _holds = true;
        FailPoint.Reach(ProtocolStep.SoleProducerMarked);
    }

    /// <summary>Passes the turn that was held. Nothing is appended through this object any more.</summary>
    public void LetGo()
    {
        if (_holds)
        {
            _holds = false;
            _stretch = default;
            TMem.Store(ref control.Sole, 0);
            FailPoint.Reach(ProtocolStep.SoleProducerUnmarked);
            // SYNC POINT turn: publishes the tail and the zero header at it to the next holder.
            TMem.Store(ref control.Turn, 0);
        }
    }

    /// <summary>Goes on from the tail, place by place, until something is to be prepared. The turn is held.</summary>
    /// <param name="end">As far as the log may grow.</param>
    public void BeginStretch(long end)
    {
        if (_holds)
        {
            EnterSegment(TailWord());
            TryFollow(length: 0, end);
        }
    }

    /// <summary>Whether the stretch that was begun goes on, for who holds the turn; changes nothing.</summary>
    /// <returns>false too when a sync has failed: nobody passes on a held turn to tell.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool GoesOnHeld(int length) => TMem.Read(ref _failed.Value) == 0 && _stretch.HasRoom(length);

    /// <summary>Publishes the record at <see cref="Place"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void PublishHeld(RecordPlace place, int length) => PublishPlaced(place, length);
}
