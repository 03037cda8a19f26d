using System.Diagnostics;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// Waiting for the append turn while another holds it: spins, yields, then sleeps by the millisecond. Takes it over from the dead, never
/// from the living.
/// </summary>
/// <param name="control">The words.</param>
/// <param name="self">Who waits.</param>
/// <param name="files">The directory, for exceptions.</param>
/// <param name="purpose">What the turn is there for: to append, or to commit.</param>
/// <param name="undone">What has not been done when the wait ends with an exception.</param>
/// <param name="turn">The turn's word, where it is not the one of the control file.</param>
internal sealed class TurnWait<TMem>(
    ControlFile control, Participant self, QueueFiles files, string purpose = "append", string undone = "Nothing was enqueued.",
    SharedWord<long>? turn = null)
    where TMem : struct, ISharedMemory
{
    private readonly SharedWord<long> _turn = turn ?? control.TurnWord;

    /// <summary>Waits until the turn is this participant's.</summary>
    /// <param name="patience">How long the same living holder may go without an append, and without a sign that it is at work on one.</param>
    /// <param name="inAll">Whether that is the longest wait in all, even where holders get on.</param>
    /// <param name="meanwhile">Runs every millisecond or so of the wait.</param>
    /// <returns>true when it was taken from a dead participant, whose append is to be repaired.</returns>
    /// <exception cref="QueueStalledException">
    /// The same living holder has kept the turn for <paramref name="patience"/> without an append, and its process does not run.
    /// </exception>
    /// <exception cref="QueueFailedException">A sync has failed, and nobody gets the turn any more.</exception>
    public bool TakeTurn(TimeSpan patience, bool inAll = false, Action? meanwhile = null)
    {
        var watch = default(HolderWatch);
        long started = Stopwatch.GetTimestamp();
        for (int round = 0; ; round++)
        {
            long holder = TMem.Load(ref _turn.Value);
            if (holder == 0)
            {
                if (TMem.CompareExchange(ref _turn.Value, self.OwnerWord, 0) == 0)
                {
                    return false;
                }
                continue;
            }
            if (holder == ControlFormat.ClosedTurn)
            {
                throw SyncFailure.Refusal(control, files);
            }
            if (TMem.TrySpin(round))
            {
                continue;
            }
            bool isOver = inAll && Stopwatch.GetElapsedTime(started) >= patience;
            // Both only grow, so their sum tells whether either has.
            if (watch.HasMoved(holder, TMem.Load(ref control.Tail) + TMem.Load(ref control.Progress)) && !isOver)
            {
            }
            else if (!self.IsAlive<TMem>(holder))
            {
                if (TMem.CompareExchange(ref _turn.Value, self.OwnerWord, holder) == holder)
                {
                    return true;
                }
            }
            else if (inAll ? isOver : watch.IsStalled(self, patience))
            {
                throw Stalled(holder, watch.Stood);
            }
            meanwhile?.Invoke();
            TMem.Rest();
        }
    }

    /// <summary>What to tell a caller that has waited so long for the same holder of the turn.</summary>
    public QueueStalledException Stalled(long holder, TimeSpan waited) => new(
        $"{files.Directory}: {self.Describe(holder)} has held the turn to {purpose} for {waited.TotalMilliseconds:0} ms and lives, but does not run. "
        + $"It is stopped, suspended or in a debugger; let it run, or end it. {undone}");
}
