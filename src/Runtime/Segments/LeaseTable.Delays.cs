namespace BlitQueue.Segments;

internal sealed partial class LeaseTable<TMem>
{
    /// <summary>The time at which something is due after a delay; 0 without one.</summary>
    public static long DueAfter(TimeSpan delay) =>
        delay == TimeSpan.Zero ? 0 : TMem.Milliseconds + (long)Math.Ceiling(delay.TotalMilliseconds);

    // A mark is a time too: 1 was over when the first process came to run.
    private bool IsOver(long time) => time <= 1 || time <= TMem.Milliseconds;

    // The mark names the earliest time of all. Who sleeps looks again often enough to come to a later time by itself.
    private void MarkReturned(long due)
    {
        long mark = Math.Max(due, 1);
        for (long now = TMem.Load(ref file.Returned); now == 0 || now > mark; now = TMem.Load(ref file.Returned))
        {
            // SYNC POINT returned: publishes that the cell's message is free to take.
            if (TMem.CompareExchange(ref file.Returned, mark, now) == now)
            {
                break;
            }
        }
        if (mark == 1)
        {
            control.Data.WakeAll<TMem>();
        }
    }
}
