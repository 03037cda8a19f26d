using BlitQueue.Calls;
using BlitQueue.Log;

namespace BlitQueue.Explorer;

/// <content>
/// What a client and servers do to one call's cell. The words: 0 the cell, 1 the request, 2 the reply, 3 no more calls, 4 answered, 5 and 6
/// the hints.
/// </content>
internal static partial class Steps
{
    private const int Request = 1, Reply = 2, Closed = 3, Difference = 100;

    // How often a task may be woken for the call before, and have no bit of its own.
    private const int MostIdleWakes = 4;

    /// <summary>Calls so many times, and waits for each answer or for the server's death.</summary>
    public static Action<Seat> Call(int times) => seat =>
    {
        for (int number = 1; number <= times; number++)
        {
            CallOnce(seat, number, givesUp: false);
        }
        Close(seat);
    };

    /// <summary>Calls, gives the call up at any moment, and calls again with the same cell.</summary>
    public static void CallAndGiveUp(Seat seat)
    {
        CallOnce(seat, 1, givesUp: true);
        CallOnce(seat, 2, givesUp: false);
        Close(seat);
    }

    /// <summary>Calls, says at any moment that no server has taken the call, and calls again with the same cell.</summary>
    public static void CallAndWithdraw(Seat seat)
    {
        RpcCell<SimMemory> cell = Queue(seat, 1);
        if (cell.TryWithdraw())
        {
            Require(cell.State == RpcState.Free, "a call was withdrawn that a server has");
        }
        else
        {
            AwaitAnswer(seat, cell, 1);
            Require(cell.IsFree, "a server has a call whose answer was read");
        }
        CallOnce(seat, 2, givesUp: false);
        Close(seat);
    }

    /// <summary>Calls twice, as a task does that looks at a cell when its bit of the word of answers is set.</summary>
    public static void CallFromTask(Seat seat)
    {
        for (int number = 1; number <= 2; number++)
        {
            RpcCell<SimMemory> cell = Queue(seat, number);
            AwaitBit(seat, cell);
            Require(SimMemory.Read(ref seat.SharedWord(Reply)) == number + Difference, "a call got another's answer");
            Require(cell.IsFree, "a server has a call whose answer was read");
        }
        Close(seat);
    }

    private static void AwaitBit(Seat seat, RpcCell<SimMemory> cell)
    {
        RpcAnswered<SimMemory> answered = seat.Answered();
        int idle = 0;
        // Once without a bit, as a task does that begins to wait.
        for (bool isTold = true; !isTold || !RpcCell<SimMemory>.IsAnswer(cell.Word); isTold = answered.Take() != 0)
        {
            Require(isTold || idle++ < MostIdleWakes, "a task is not told of its answer");
            Await(seat.Control.Data, () => answered.IsAny);
        }
    }

    private static RpcCell<SimMemory> Queue(Seat seat, long number)
    {
        RpcCell<SimMemory> cell = seat.Call();
        SimMemory.Write(ref seat.SharedWord(Request), number);
        cell.Queue();
        seat.Control.Room.NotifyWaiters<SimMemory>();
        return cell;
    }

    private static void CallOnce(Seat seat, long number, bool givesUp)
    {
        RpcCell<SimMemory> cell = Queue(seat, number);
        if (!givesUp || !cell.TryGiveUp(out _))
        {
            AwaitAnswer(seat, cell, number);
        }
        while (!cell.IsFree)
        {
            long word = cell.Word;
            Require(
                RpcFormat.StateOf(word) is RpcState.Abandoned or RpcState.Over, "a server has a call whose answer was read");
            if (RpcFormat.StateOf(word) == RpcState.Abandoned && !seat.IsOwnerAlive(RpcFormat.ServerOf(word)))
            {
                cell.TryLose(word, isQueuedAgain: false);
            }
            else
            {
                Await(seat.Control.Data, () => cell.State != RpcState.Abandoned);
            }
        }
    }

    private static void AwaitAnswer(Seat seat, RpcCell<SimMemory> cell, long number)
    {
        for (; ; )
        {
            long word = cell.Word;
            if (RpcCell<SimMemory>.IsAnswer(word))
            {
                Require(SimMemory.Read(ref seat.SharedWord(Reply)) == number + Difference, "a call got another's answer");
                return;
            }
            long server = RpcFormat.ServerOf(word);
            if (server != 0 && !seat.IsOwnerAlive(server))
            {
                cell.TryLose(word, isQueuedAgain: true);
            }
            else
            {
                Await(seat.Control.Data, () => cell.Word != word);
            }
        }
    }

    private static void Close(Seat seat)
    {
        SimMemory.Store(ref seat.SharedWord(Closed), 1);
        seat.Control.Room.NotifyWaiters<SimMemory>();
    }

    /// <summary>Answers calls until there are no more.</summary>
    public static void AnswerCalls(Seat seat) => AnswerCalls(seat, toTasks: false);

    /// <summary>The same for a client whose tasks wait.</summary>
    public static void AnswerTasks(Seat seat) => AnswerCalls(seat, toTasks: true);

    private static void AnswerCalls(Seat seat, bool toTasks)
    {
        RpcCell<SimMemory> cell = seat.Call();
        while (SimMemory.Load(ref seat.SharedWord(Closed)) == 0)
        {
            if (cell.State != RpcState.Queued || !cell.TryTake(seat.Me))
            {
                Await(
                    seat.Control.Room, () => cell.State == RpcState.Queued || SimMemory.Load(ref seat.SharedWord(Closed)) != 0);
                continue;
            }
            long number = SimMemory.Read(ref seat.SharedWord(Request));
            SimMemory.Write(ref seat.SharedWord(Reply), number + Difference);
            Require(
                SimMemory.Read(ref seat.SharedWord(Request)) == number
                    && SimMemory.Read(ref seat.SharedWord(Reply)) == number + Difference,
                "a cell was used by another while a server had it");
            cell.TryAnswer(seat.Me, RpcState.Replied);
            if (toTasks)
            {
                seat.Answered().Set(0);
            }
            seat.Control.Data.NotifyWaiters<SimMemory>();
        }
    }

    /// <summary>Calls so many times, and says so by hints alone.</summary>
    public static Action<Seat> CallByHint(int times) => seat =>
    {
        RpcHints<SimMemory> hints = seat.Hints();
        for (int number = 1; number <= times; number++)
        {
            RpcCell<SimMemory> cell = seat.Call();
            SimMemory.Write(ref seat.SharedWord(Request), number);
            cell.Queue();
            hints.Announce(0);
            seat.Control.Room.NotifyWaiters<SimMemory>();
            AwaitAnswer(seat, cell, number);
            Require(cell.IsFree, "a server has a call whose answer was read");
        }
        Close(seat);
    };

    /// <summary>Answers calls that hints tell of; the hints stay until it finds no call. As a thread that spins.</summary>
    public static void AnswerSpinning(Seat seat) => AnswerByHint(seat, static _ => { });

    /// <summary>The same, and clears each hint in front of the look at its cell. As a task.</summary>
    public static void AnswerClearing(Seat seat) => AnswerByHint(seat, static hints => hints.ClearPending(0));

    private static void AnswerByHint(Seat seat, Action<RpcHints<SimMemory>> prepare)
    {
        RpcHints<SimMemory> hints = seat.Hints();
        RpcCell<SimMemory> cell = seat.Call();
        while (SimMemory.Load(ref seat.SharedWord(Closed)) == 0)
        {
            if (hints.IsCalling && hints.Pending != 0)
            {
                prepare(hints);
                if (cell.State == RpcState.Queued && cell.TryTake(seat.Me))
                {
                    long number = SimMemory.Read(ref seat.SharedWord(Request));
                    SimMemory.Write(ref seat.SharedWord(Reply), number + Difference);
                    cell.TryAnswer(seat.Me, RpcState.Replied);
                    seat.Control.Data.NotifyWaiters<SimMemory>();
                    continue;
                }
            }
            if (hints.TryClear(_ => cell.State == RpcState.Queued))
            {
                // Without an end: a call that no hint tells of is never answered.
                Await(seat.Control.Room, () => hints.IsCalling || SimMemory.Load(ref seat.SharedWord(Closed)) != 0);
            }
        }
    }

    private static void Await(EventCount word, Func<bool> isThere)
    {
        int ticket = word.PrepareWait<SimMemory>();
        if (!isThere())
        {
            word.Wait<SimMemory>(ticket, TimeSpan.MaxValue);
        }
    }
}
