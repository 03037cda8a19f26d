using System.Diagnostics;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// Waiting for the append turn while another holds it: spins, yields, then sleeps by the millisecond. Takes it over from the dead, never
/// from the living.
/// </summary>
internal sealed class TurnWait<TMem>(ControlFile control, Participant self, string path) where TMem : struct, ISharedMemory
{
    // An append takes well under a microsecond; a holder that lost its processor gets it back within some milliseconds.
    private const int Spins = 100, SpinLength = 20, Yields = 20;

    /// <summary>Waits until the turn is this participant's.</summary>
    /// <returns>true when it was taken from a dead participant, whose append is to be repaired.</returns>
    /// <exception cref="QueueStalledException">
    /// The same living holder has kept the turn for <paramref name="patience"/> without an append.
    /// </exception>
    public bool TakeTurn(TimeSpan patience)
    {
        long watchedTurn = 0, watchedTail = 0, since = 0;
        for (int round = 0; ; round++)
        {
            long turn = TMem.Load(ref control.Turn);
            if (turn == 0)
            {
                if (TMem.CompareExchange(ref control.Turn, self.OwnerWord, 0) == 0)
                {
                    return false;
                }
                continue;
            }
            if (round < Spins)
            {
                Thread.SpinWait(SpinLength);
                continue;
            }
            if (round < Spins + Yields)
            {
                Thread.Yield();
                continue;
            }
            long tail = TMem.Load(ref control.Tail);
            if (turn != watchedTurn || tail != watchedTail)
            {
                (watchedTurn, watchedTail, since) = (turn, tail, Stopwatch.GetTimestamp());
            }
            else if (!self.IsAlive(turn))
            {
                if (TMem.CompareExchange(ref control.Turn, self.OwnerWord, turn) == turn)
                {
                    return true;
                }
            }
            else if (Stopwatch.GetElapsedTime(since) >= patience)
            {
                throw Stalled(turn, Stopwatch.GetElapsedTime(since));
            }
            Thread.Sleep(1);
        }
    }

    /// <summary>What to tell a caller that has waited so long for the same holder of the turn.</summary>
    public QueueStalledException Stalled(long turn, TimeSpan waited) => new(
        $"{path}: {self.Describe(turn)} has held the turn to append for {waited.TotalMilliseconds:0} ms and lives, but does not run. "
        + "It is stopped, suspended or in a debugger; let it run, or end it. Nothing was enqueued.");
}
