using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <content>
/// Records whose length is known before, packed in place: where nothing is to be prepared, so that nothing can fail. Each member here is a
/// few instructions; whoever calls them in order takes care that nothing else comes between, so that all stays in registers.
/// </content>
internal sealed partial class Appender<TMem>
{
    private readonly SharedWord<int> _sleepingReaders = control.Data.Sleepers;
    private readonly WakeWord _readers = control.Data;

    // Where the last of these ended, and how far they may go on. Whoever holds the turn, of whatever thread, finds it in order.
    private HeldStretch _stretch;

    /// <summary>Takes the turn if it is free.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryTakeTurn()
    {
        // SYNC POINT turn: acquires what the holder before wrote at the tail.
        bool taken = TMem.CompareExchange(ref _turn.Value, _me, 0) == 0;
        FailPoint.ReachIf(taken, ProtocolStep.AppendTurnTaken);
        return taken;
    }

    /// <summary>Whether the log goes on where the last of these records ended, and has room there. The turn is held.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool GoesOn(int length) => TMem.Read(ref _tail.Value) == _stretch.Position && _stretch.HasRoom(length);

    /// <summary>
    /// Goes on from the tail, after others have appended, or after other records; until something is to be prepared or the log may not
    /// grow. The turn is held.
    /// </summary>
    /// <returns>false where there is no room.</returns>
    public bool TryFollow(int length, long end)
    {
        // Before the first segment is entered, nothing may be appended so.
        _stretch = _segment is { } segment ? segment.Stretch(TailWord(), Math.Min(end, _prepareAt - 1)) : default;
        return _stretch.HasRoom(length);
    }

    /// <summary>Where the record is, after <see cref="GoesOn"/> or <see cref="TryFollow"/>.</summary>
    public RecordPlace Place
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _stretch.Place;
    }

    /// <summary>Publishes the record and passes the turn.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void PublishAt(RecordPlace place, int length)
    {
        FailPoint.Reach(ProtocolStep.AppendPacked);
        Span<byte> payload = place.Payload(length);
        TMem.Written(payload);
        long position = _stretch.Position;
        long header = _check.Header(RecordKind.Data, position, payload);
        TMem.Write(ref place.HeaderBehind(length), 0);
        FailPoint.Reach(ProtocolStep.AppendNextSealed);

        // SYNC POINT record: publishes the payload and the zero header behind it to readers.
        TMem.Store(ref place.Header, header);
        FailPoint.Reach(ProtocolStep.AppendPublished);
        TMem.Store(ref _tail.Value, _stretch.Position = position + RecordFormat.Extent(length));
        FailPoint.Reach(ProtocolStep.AppendTailMoved);
        PassTurn();
    }

    /// <summary>Wakes readers that sleep.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WakeReaders() => WakeWord.WakeSleepers<TMem>(ref _sleepingReaders.Value, _readers);
}
