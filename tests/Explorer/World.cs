using BlitQueue.Log;

namespace BlitQueue.Explorer;

/// <summary>What can happen in a state, and what comes of it.</summary>
/// <param name="scenario">The processes.</param>
/// <param name="mode">The memory.</param>
/// <param name="bound">How often a process that could go on may be left for another; null without a limit.</param>
internal sealed class World(Scenario scenario, MemoryMode mode, int? bound = null)
{
    private readonly bool[] _isOwner = [.. Enumerable.Range(0, scenario.Bench.Words.Count).Select(scenario.Bench.IsOwner)];
    private readonly bool[] _isNext = [.. Enumerable.Range(0, scenario.Bench.Words.Count).Select(scenario.Bench.IsNext)];
    private readonly bool[] _grows = [.. Enumerable.Range(0, scenario.Bench.Words.Count).Select(scenario.Bench.OnlyGrows)];

    // Of each message word of a lease cell its owner word; -1 for other words, and where nobody has written that.
    private readonly int[] _ownerOf = [.. Enumerable.Range(0, scenario.Bench.Words.Count).Select(scenario.Bench.OwnerOf)];

    public StepTree Tree { get; } = new(scenario);

    public Scenario Scenario => scenario;

    public WorldState Begin()
    {
        int actors = scenario.Actors.Count;
        var state = new WorldState
        {
            Memory = SimulatedMemory.Make(mode, scenario.Bench.Words, actors, scenario.WakersPay, scenario.HasFences),
            At = [.. Enumerable.Range(0, actors).Select(actor => Tree.Root(actor, 0))],
            Actors = new ActorState[actors],
            Ledger = new Ledger(actors, scenario.Bench.Present),
        };
        for (int actor = 0; actor < actors; actor++)
        {
            RunSilent(state, actor);
        }
        return state;
    }

    /// <summary>Everything that the scheduler may do; empty at an end.</summary>
    public void FindMoves(WorldState state, List<Move> moves)
    {
        moves.Clear();
        if (state.Fault is not null)
        {
            return;
        }
        bool lastCouldGoOn = state.Last >= 0 && CanStep(state, state.Last);
        for (int actor = 0; actor < state.At.Length; actor++)
        {
            bool preempts = lastCouldGoOn && actor != state.Last;
            if (!(preempts && state.Preemptions >= bound) && state.Actors[actor] == ActorState.Ready && IsItsLock(state, actor))
            {
                int outcomes = Outcomes(state, actor);
                for (int outcome = 0; outcome < outcomes; outcome++)
                {
                    moves.Add(new Move(MoveKind.Step, actor, outcome));
                }
            }
            if (state.Memory.CanDrain(actor) && IsDrainOfUse(state, actor))
            {
                moves.Add(new Move(MoveKind.Drain, actor));
            }
        }
        if (moves.Count == 0)
        {
            FindDrains(state, moves);
        }
        if (moves.Count == 0)
        {
            FindLateMoves(state, moves);
        }
        AddHarm(state, moves);
    }

    /// <summary>The state after a move.</summary>
    public WorldState Apply(WorldState before, in Move move)
    {
        WorldState state = before.Clone();
        Make(state, move);
        return state;
    }

    /// <summary>Makes a move, in the state itself.</summary>
    /// <returns>What was seen, where something was.</returns>
    public long Make(WorldState state, in Move move)
    {
        switch (move.Kind)
        {
            case MoveKind.Step:
                if (state.Last >= 0 && state.Last != move.Actor && bound is not null && CanStep(state, state.Last))
                {
                    state.Preemptions++;
                }
                state.Last = bound is null ? -1 : move.Actor;
                return Step(state, move.Actor, move.Outcome);
            case MoveKind.Drain:
                state.Memory.Drain(move.Actor);
                break;
            case MoveKind.Kill:
                state.Kills++;
                for (int thread = 0; thread < state.At.Length; thread++)
                {
                    if (scenario.ProcessOf(thread) == scenario.ProcessOf(move.Actor))
                    {
                        Kill(state, thread);
                    }
                }
                break;
            case MoveKind.Stop:
                state.Stops++;
                state.Actors[move.Actor] = ActorState.Stopped;
                break;
            case MoveKind.Continue:
                state.Actors[move.Actor] = ActorState.Ready;
                break;
            default:
                if (scenario.AllEnd && state.Kills + state.Stops == 0)
                {
                    state.Fault ??= $"a wake-up was lost: {scenario.Actors[move.Actor].Name} slept, and was not woken";
                }
                state.Late |= 1 << move.Actor;
                CatchUp(state, move.Actor, Tree[state.At[move.Actor]]);
                Awake(state, move.Actor);
                break;
        }
        return 0;
    }

    private static void Kill(WorldState state, int actor)
    {
        state.Memory.MoveToDeadLetters(actor);
        state.Actors[actor] = ActorState.Dead;
        // Where it was makes no difference any more, nor what it held.
        state.At[actor] = -1;
        state.Ledger.MoveToDeadLetters(actor);
        state.Memory.Leave(actor);
    }

    /// <summary>Whether nothing more happens but harm.</summary>
    public static bool IsEnd(List<Move> moves) => moves.TrueForAll(static move => move.Kind is MoveKind.Kill or MoveKind.Stop);

    /// <summary>What is wrong with a state in which nothing more happens; null when nothing is.</summary>
    public string? Judge(WorldState state)
    {
        for (int actor = 0; actor < state.At.Length; actor++)
        {
            if (state.Actors[actor] == ActorState.Ready)
            {
                return $"{scenario.Actors[actor].Name} waits for ever";
            }
            if (scenario.AllEnd && state.Actors[actor] == ActorState.Asleep)
            {
                return $"{scenario.Actors[actor].Name} sleeps, and was not woken";
            }
        }
        return new Audit(scenario).Judge(state) ?? state.Fault;
    }

    private static void FindDrains(WorldState state, List<Move> moves)
    {
        for (int actor = 0; actor < state.At.Length; actor++)
        {
            if (state.Memory.CanDrain(actor))
            {
                moves.Add(new Move(MoveKind.Drain, actor));
            }
        }
    }

    // A write that arrives makes no difference until another process is about to access that word, or has a write of it under way too. So
    // it need not arrive before; what the process itself waits for arrives with that.
    private bool IsDrainOfUse(WorldState state, int actor)
    {
        for (int other = 0; other < state.At.Length; other++)
        {
            if (other != actor && IsNear(state, actor, other))
            {
                return true;
            }
        }
        return false;
    }

    private bool IsNear(WorldState state, int actor, int other)
    {
        if (state.Memory.HaveInCommon(actor, other))
        {
            return true;
        }
        if (state.Actors[other] is ActorState.Dead or ActorState.Done)
        {
            return false;
        }
        StepNode node = Tree[state.At[other]];
        return node.Access.Kind is AccessKind.Rest or AccessKind.Sleep
            ? node.Seen.Any(seen => seen.Kind != AccessKind.Alive && state.Memory.IsUnderWay(actor, seen.Word))
                || (node.Access.Kind == AccessKind.Sleep && state.Memory.IsUnderWay(actor, node.Access.Word))
                || (node.Access.SecondWord is var second and >= 0 && state.Memory.IsUnderWay(actor, second))
            : node.Access.Kind is not (AccessKind.Alive or AccessKind.Wake) && node.Access.Word >= 0
            && state.Memory.IsUnderWay(actor, node.Access.Word);
    }

    private void FindLateMoves(WorldState state, List<Move> moves)
    {
        for (int actor = 0; actor < state.At.Length; actor++)
        {
            if (state.Actors[actor] == ActorState.Stopped)
            {
                moves.Add(new Move(MoveKind.Continue, actor));
            }
            if (state.Actors[actor] == ActorState.Asleep && HasChanged(state, Tree[state.At[actor]]))
            {
                moves.Add(new Move(MoveKind.TimeOut, actor));
            }
        }
    }

    private void AddHarm(WorldState state, List<Move> moves)
    {
        for (int actor = 0; actor < state.At.Length; actor++)
        {
            if (!scenario.Actors[actor].IsMortal)
            {
                continue;
            }
            if (state.Kills < scenario.Kills && scenario.Actors[actor].ThreadOf is null && IsToBeKilled(state, actor))
            {
                moves.Add(new Move(MoveKind.Kill, actor));
            }
            if (state.Stops < scenario.Stops && state.Actors[actor] == ActorState.Ready)
            {
                moves.Add(new Move(MoveKind.Stop, actor));
            }
        }
    }

    // Who is killed has changed something by its last access, and nobody has done anything since, or somebody is about to
    // ask whether it lives: to be killed at any other moment comes to the same. What has not arrived yet arrives with the
    // death, so with buffers any moment counts.
    private bool IsToBeKilled(WorldState state, int process)
    {
        bool isAnyLeft = false,
            isNow = mode != MemoryMode.Sequential || state.Last < 0 || state.Actors[state.Last] is ActorState.Dead or ActorState.Done;
        for (int actor = 0; actor < state.At.Length; actor++)
        {
            bool isLeft = state.Actors[actor] is not (ActorState.Dead or ActorState.Done);
            if (scenario.ProcessOf(actor) != process)
            {
                isNow |= isLeft && Tree[state.At[actor]].Access is { Kind: AccessKind.Alive } access && access.Word == process;
                continue;
            }
            isAnyLeft |= isLeft;
            isNow |= actor == state.Last;
            if (state.Actors[actor] == ActorState.Ready && !Tree[state.At[actor]].IsAfterChange)
            {
                return false;
            }
        }
        return isAnyLeft && isNow;
    }

    private bool IsItsLock(WorldState state, int actor)
    {
        if (scenario.Actors[actor].TwinOf is { } twin && state.Actors[twin] == ActorState.Ready && state.At[twin] == Tree.Root(twin, 0)
            && state.At[actor] == Tree.Root(actor, 0))
        {
            return false;
        }
        for (int other = 0; scenario.Actors[actor].ComesLast && other < state.At.Length; other++)
        {
            if (other != actor && state.Actors[other] is not (ActorState.Dead or ActorState.Done))
            {
                return false;
            }
        }
        return true;
    }

    private bool CanStep(WorldState state, int actor) => state.Actors[actor] == ActorState.Ready && Outcomes(state, actor) > 0;

    private int Outcomes(WorldState state, int actor)
    {
        StepNode node = Tree[state.At[actor]];
        return node.Access.Kind switch
        {
            // The time makes no difference before somebody asks for it, so it passes then.
            AccessKind.Clock => state.Ticks < scenario.Ticks && !scenario.Actors[actor].ComesLast ? 2 : 1,
            AccessKind.Rest => !node.WaitsForChange || HasChanged(state, node) ? 1 : 0,
            // Long after, nothing old is seen.
            _ => Math.Min(state.Memory.Outcomes(actor, node.Access), scenario.Actors[actor].ComesLast ? 1 : int.MaxValue),
        };
    }

    // Whether who looks again would see something else.
    private bool HasChanged(WorldState state, StepNode node)
    {
        foreach (Access seen in node.Seen)
        {
            long now = seen.Kind == AccessKind.Alive ? IsAlive(state, seen.Word) : state.Memory.Latest(seen.Word);
            if (now != seen.Value)
            {
                return true;
            }
        }
        return false;
    }

    private static long IsAlive(WorldState state, int actor) =>
        actor < state.Actors.Length && state.Actors[actor] != ActorState.Dead ? 1 : 0;

    private long Step(WorldState state, int actor, int outcome)
    {
        StepNode node = Tree[state.At[actor]];
        Access access = node.Access;
        long value = 0;
        if (access.Kind is AccessKind.Alive or AccessKind.Sleep or AccessKind.Wake)
        {
            state.Memory.Do(actor, access, 0);
        }
        switch (access.Kind)
        {
            case AccessKind.Alive:
                value = IsAlive(state, access.Word);
                if (value == 0)
                {
                    LearnAll(state, actor, access.Word);
                }
                break;
            case AccessKind.Clock:
                state.Ticks += outcome;
                value = scenario.Actors[actor].ComesLast ? 100 : state.Ticks;
                break;
            case AccessKind.Rest:
                CatchUp(state, actor, node);
                break;
            case AccessKind.Sleep when HasTicket(state, access.Word, access.Expected)
                && (access.SecondWord < 0 || HasTicket(state, access.SecondWord, access.Expected >> 32)):
                state.Actors[actor] = ActorState.Asleep;
                return 0;
            case AccessKind.Wake:
                WakeAll(state, access.Word);
                break;
            default:
                CheckOwner(state, actor, access);
                CheckGrowth(state, actor, access);
                CountSeek(state, access);
                value = state.Memory.Do(actor, access, outcome);
                break;
        }
        state.At[actor] = Tree.After(state.At[actor], value);
        RunSilent(state, actor);
        return value;
    }

    private static bool HasTicket(WorldState state, int word, long expected) => (int)(state.Memory.Latest(word) >> 32) == (int)expected;

    // Time has passed: what was written before it has arrived.
    private static void CatchUp(WorldState state, int actor, StepNode node)
    {
        foreach (Access seen in node.Seen)
        {
            if (seen.Kind != AccessKind.Alive)
            {
                state.Memory.CatchUp(actor, seen.Word);
            }
        }
    }

    // The kernel says that a process is dead when all of its threads are.
    private void LearnAll(WorldState state, int actor, int process)
    {
        for (int dead = 0; dead < state.At.Length; dead++)
        {
            if (scenario.ProcessOf(dead) == process)
            {
                state.Memory.Learn(actor, dead);
            }
        }
    }

    private void WakeAll(WorldState state, int word)
    {
        for (int actor = 0; actor < state.At.Length; actor++)
        {
            if (state.Actors[actor] == ActorState.Asleep && Tree[state.At[actor]].Access.SleepsOn(word))
            {
                Awake(state, actor);
            }
        }
    }

    private void Awake(WorldState state, int actor)
    {
        state.Actors[actor] = ActorState.Ready;
        state.At[actor] = Tree.After(state.At[actor], 0);
        RunSilent(state, actor);
    }

    // What nobody else can notice happens at once.
    private void RunSilent(WorldState state, int actor)
    {
        while (state.At[actor] >= 0)
        {
            Access access = Tree[state.At[actor]].Access;
            if (access.Kind == AccessKind.Note)
            {
                Note(state, actor, (NoteKind)access.Word, access.Value);
            }
            else if (access.Kind is AccessKind.ReadFence or AccessKind.WriteFence)
            {
                state.Memory.Do(actor, access, 0);
            }
            else if (access.Kind == AccessKind.WakerFence && scenario.WakersPay)
            {
                return;
            }
            else if (access.Kind is not (AccessKind.End or AccessKind.WakerFence))
            {
                return;
            }
            state.At[actor] = Tree.After(state.At[actor], 0);
        }
        state.Actors[actor] = ActorState.Done;
        state.Memory.Leave(actor);
    }

    private void Note(WorldState state, int actor, NoteKind kind, long value)
    {
        string? fault = kind == NoteKind.Fault
            ? Tree.Fault(value)
            : state.Ledger.Note(actor, kind, value);
        if (kind == NoteKind.Lost && state.Ticks <= Tree.TimeOfLease(state.At[actor]))
        {
            fault = $"the lease of message {value} was lost, though no time had passed";
        }
        if (fault is null && kind == NoteKind.Consumed && (state.Late & (1 << actor)) != 0 && state.Kills + state.Stops == 0)
        {
            fault = $"a wake-up was lost: message {value} was there while {scenario.Actors[actor].Name} slept";
        }
        state.Fault ??= fault is null ? null : $"{scenario.Actors[actor].Name}: {fault}";
    }

    private void CheckGrowth(WorldState state, int actor, in Access access)
    {
        if (access.Writes && _grows[access.Word] && state.Memory.Latest(access.Word) is var before && access.Value < before
            && (access.Kind != AccessKind.Exchange || before == access.Expected))
        {
            state.Fault ??= $"{scenario.Actors[actor].Name}: set \"{scenario.Bench.Words.Name(access.Word)}\" from {before} back to "
                + $"{access.Value}";
        }
    }

    // What next goes back over is to be consumed once more.
    private void CountSeek(WorldState state, in Access access)
    {
        if (access.Writes && _isNext[access.Word] && state.Memory.Latest(access.Word) is var before && before == access.Expected
            && SubscriptionFormat.Position(access.Value) is var now && now < SubscriptionFormat.Position(before))
        {
            state.Ledger.Repeat(scenario.Bench.PresentBetween(now, SubscriptionFormat.Position(before)));
        }
    }

    // Nobody takes from the living what they hold, and nobody gives away what is another's; unless it is a lease, and time-outs are.
    private void CheckOwner(WorldState state, int actor, in Access access)
    {
        if (access.Writes && _ownerOf[access.Word] is var ownerWord and >= 0 && state.Memory.Latest(access.Word) is var before
            && (access.Kind != AccessKind.Exchange || before == access.Expected)
            && state.Memory.Latest(ownerWord) is var holder
            && new LeaseCell(0, before, holder, 0) is { Holder: not 0 } cell && cell.State.IsInFlight()
            && scenario.Bench.ProcessOf(cell.Holder) is var process && process != scenario.ProcessOf(actor) && IsAlive(state, process) != 0
            && !(cell.State == LeaseState.Leased && scenario.Ticks > 0))
        {
            state.Fault ??= $"{scenario.Actors[actor].Name}: took \"{scenario.Bench.Words.Name(access.Word)}\" from "
                + $"{scenario.Actors[process].Name}, which lives";
        }
        CheckLock(state, actor, access);
    }

    private void CheckLock(WorldState state, int actor, in Access access)
    {
        if (!access.Writes || !_isOwner[access.Word])
        {
            return;
        }
        long owner = state.Memory.Latest(access.Word);
        int process = scenario.Bench.ProcessOf(owner);
        bool takes = access.Kind != AccessKind.Exchange || owner == access.Expected;
        // Whether the thread with a revoked bias is inside, the log tells: if it was, what it appends is lost.
        if (LockWord.IsRevoked(owner) || (LockWord.IsBiased(owner) && access.Value == LockWord.Revoke(owner)))
        {
            return;
        }
        if (takes && process >= 0 && process != actor && IsAlive(state, process) != 0)
        {
            state.Fault ??= $"{scenario.Actors[actor].Name}: took \"{scenario.Bench.Words.Name(access.Word)}\" from "
                + $"{scenario.Actors[process].Name}, which lives";
        }
    }
}
