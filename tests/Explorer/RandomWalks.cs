namespace BlitQueue.Explorer;

/// <summary>
/// Random schedules, for scenarios too large to be gone through: each process has a random priority, the highest of those that can go on
/// does, and at a few random points somebody is put last, killed or stopped (probabilistic concurrency testing).
/// </summary>
internal sealed class RandomWalks(Scenario scenario, MemoryMode mode)
{
    // A world keeps what it has seen of the code; now and then it begins anew, so that it does not grow for ever.
    private const int MostNodes = 400_000;

    // Where the points of change may be: about as many accesses as a schedule has.
    private const int Length = 150;
    private const int Changes = 3;

    private readonly List<Move> _moves = [];
    private readonly List<Move> _made = [];
    private World _world = new(scenario, mode);

    /// <summary>The last schedule.</summary>
    public string Last => string.Join(' ', _made);

    /// <summary>Goes one way.</summary>
    /// <param name="random">Decides which.</param>
    public Finding? Walk(Random random)
    {
        int seed = random.Next();
        while (true)
        {
            if (_world.Tree.Count > MostNodes || scenario.Bench.Words.HasGrown)
            {
                scenario.Bench.Words.HasGrown = false;
                _world = new World(scenario, mode);
            }
            Finding? finding = Walk(_world.Begin(), new Random(seed));
            if (!scenario.Bench.Words.HasGrown)
            {
                return finding;
            }
        }
    }

    private Finding? Walk(WorldState state, Random random)
    {
        int[] priorities = [.. Enumerable.Range(0, state.At.Length)];
        random.Shuffle(priorities);
        int[] changes = [.. Enumerable.Range(0, Changes).Select(_ => random.Next(Length))];
        _made.Clear();
        for (int step = 0; !scenario.Bench.Words.HasGrown; step++)
        {
            _world.FindMoves(state, _moves);
            bool isEnd = World.IsEnd(_moves);
            if (isEnd || state.Fault is not null)
            {
                string? fault = state.Fault ?? _world.Judge(state);
                return fault is null ? null : new Finding(fault, [.. _made]);
            }
            Move move = Choose(priorities, changes.Contains(step), random);
            if (changes.Contains(step))
            {
                priorities[move.Actor] = -step - 1;
            }
            _made.Add(move);
            _world.Make(state, move);
        }
        return null;
    }

    private Move Choose(int[] priorities, bool isChange, Random random)
    {
        if (isChange && random.Next(2) == 0
            && _moves.FindAll(static move => move.Kind is MoveKind.Kill or MoveKind.Stop) is { Count: > 0 } harm)
        {
            return harm[random.Next(harm.Count)];
        }
        if (random.Next(4) == 0 && _moves.FindAll(static move => move.Kind == MoveKind.Drain) is { Count: > 0 } drains)
        {
            return drains[random.Next(drains.Count)];
        }
        Move best = default;
        int highest = int.MinValue, ways = 0;
        foreach (Move move in _moves)
        {
            if (move.Kind is MoveKind.Kill or MoveKind.Stop)
            {
                continue;
            }
            int priority = priorities[move.Actor];
            if (priority > highest)
            {
                (best, highest, ways) = (move, priority, 1);
            }
            else if (priority == highest && random.Next(++ways) == 0)
            {
                best = move;
            }
        }
        return best;
    }
}
