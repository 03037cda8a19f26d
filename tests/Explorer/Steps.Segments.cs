using BlitQueue.Log;

namespace BlitQueue.Explorer;

/// <content>
/// Making segments and giving them up: the words of SegmentHold, SegmentAllocator and Retention in their order. Their files are words too,
/// which say who has made the file of that name; 0 = there is none.
/// </content>
internal static partial class Steps
{
    /// <summary>Gives a segment that it has made its name, unless another was faster, and announces it.</summary>
    public static Action<Seat> MakeSegment(int index) => seat =>
    {
        if (SimMemory.Load(ref seat.Control.AllocatedEnd) > index)
        {
            return;
        }
        if (SimMemory.Load(ref seat.FileOf(index)) == 0)
        {
            Hold(seat, ref seat.NamingHold, index, () =>
            {
                if (SimMemory.Load(ref seat.Control.AllocatedEnd) <= index)
                {
                    SimMemory.CompareExchange(ref seat.FileOf(index), seat.Me, 0);
                }
            });
        }
        for (long now = SimMemory.Load(ref seat.Control.AllocatedEnd); now <= index; now = SimMemory.Load(ref seat.Control.AllocatedEnd))
        {
            SimMemory.CompareExchange(ref seat.Control.AllocatedEnd, index + 1, now);
        }
    };

    /// <summary>Makes a segment, passes everything up to its end, and gives up and deletes what is passed.</summary>
    public static Action<Seat> UseUp(int index) => seat =>
    {
        MakeSegment(index)(seat);
        Move(seat, index + 1);
        GiveUpPassed(seat);
    };

    /// <summary>Gives up and deletes what is passed.</summary>
    public static Action<Seat> GiveUpPassed => static seat =>
    {
        while (TryRetire(seat, out long oldest))
        {
            DeleteFile(seat, oldest);
        }
    };

    /// <summary>Moves the subscription back to the oldest segment there is.</summary>
    public static Action<Seat> SeekOldest => seat =>
        Hold(
            seat, ref seat.SeekHold, 0,
            () => Move(seat, ControlFormat.FirstRetainedIndex(SimMemory.Load(ref seat.Control.FirstRetainedState))));

    /// <summary>Nothing that was given up has a name again, and the subscription is where there is a segment, or at the end.</summary>
    public static Action<Seat> LookAtSegments => static seat =>
    {
        long first = ControlFormat.FirstRetainedIndex(SimMemory.Load(ref seat.Control.FirstRetainedState)),
            ready = SimMemory.Load(ref seat.Control.AllocatedEnd);
        long next = seat.SegmentOf(SimMemory.Load(ref seat.Subscription.Next));
        for (long index = 0; index < first; index++)
        {
            Require(SimMemory.Load(ref seat.FileOf(index)) == 0, "a segment that was given up has a name again");
        }
        for (long index = first; index < ready; index++)
        {
            Require(SimMemory.Load(ref seat.FileOf(index)) != 0, "a segment that was announced has no file");
        }
        Require(next >= first, "the subscription is where everything was given up");
    };

    private static void Hold(Seat seat, ref long word, int first, Action work)
    {
        SimMemory.Store(ref word, first + 1);
        for (long now = SimMemory.Load(ref seat.Control.FirstRetainedState); ; now = SimMemory.Load(ref seat.Control.FirstRetainedState))
        {
            if (SimMemory.CompareExchange(ref seat.Control.FirstRetainedState, now + ControlFormat.OneHold, now) == now)
            {
                break;
            }
        }
        work();
        SimMemory.Store(ref word, 0);
    }

    // The kernel's: everybody sees it at once.
    private static void DeleteFile(Seat seat, long index)
    {
        for (long now = SimMemory.Load(ref seat.FileOf(index)); now != 0; now = SimMemory.Load(ref seat.FileOf(index)))
        {
            SimMemory.CompareExchange(ref seat.FileOf(index), 0, now);
        }
    }

    private static void Move(Seat seat, long segment)
    {
        for (long now = SimMemory.Load(ref seat.Subscription.Next); ; now = SimMemory.Load(ref seat.Subscription.Next))
        {
            if (SimMemory.CompareExchange(ref seat.Subscription.Next, seat.StartOf(segment), now) == now)
            {
                return;
            }
        }
    }

    private static bool TryRetire(Seat seat, out long oldest)
    {
        long state;
        do
        {
            state = SimMemory.Load(ref seat.Control.FirstRetainedState);
            oldest = ControlFormat.FirstRetainedIndex(state);
            if (oldest >= seat.FirstHeld() || oldest >= seat.SegmentOf(SimMemory.Load(ref seat.Subscription.Next)))
            {
                return false;
            }
        }
        while (SimMemory.CompareExchange(ref seat.Control.FirstRetainedState, state + 1, state) != state);
        return true;
    }
}
