namespace BlitQueue.Explorer;

/// <summary>Goes through everything that the scheduler can do, each state once.</summary>
/// <param name="scenario">The processes.</param>
/// <param name="mode">The memory.</param>
/// <param name="bound">How often a process that could go on may be left for another; null for any number of times.</param>
/// <param name="mostStates">After how many states it gives up.</param>
/// <param name="stop">Whether it is to give up.</param>
internal sealed class Explorer(
    Scenario scenario, MemoryMode mode, int? bound = null, long mostStates = long.MaxValue, Func<bool>? stop = null)
{
    // Where there is one way on, every so many states are looked up and remembered: others that come there in between run on to the next.
    private const int RememberedEvery = 8;

    private readonly Dictionary<UInt128, double> _schedules = [];
    private readonly List<Frame> _path = [];
    private readonly List<Move> _found = [];
    private World _world = null!;
    private Finding? _finding;
    private long _states, _moves, _ends, _kills;
    private double _total;
    private bool _isCut;

    /// <summary>Explores. A word that turns out to be written begins it anew, with all its readers watched.</summary>
    public Exploration Run()
    {
        do
        {
            scenario.Bench.Words.HasGrown = false;
            _schedules.Clear();
            _path.Clear();
            (_states, _moves, _ends, _kills, _total, _finding, _isCut) = (0, 0, 0, 0, 0, null, false);
            _world = new World(scenario, mode, bound);
        }
        while (!TryExplore());
        return new Exploration(
            _finding, !_isCut && _finding is null, _states, _moves, _ends, _total, _kills, _world.Tree.Count);
    }

    private bool TryExplore()
    {
        WorldState begin = _world.Begin();
        if (scenario.Bench.Words.HasGrown)
        {
            return false;
        }
        Enter(begin, default);
        while (_path.Count > 0 && _finding is null && !_isCut && !scenario.Bench.Words.HasGrown)
        {
            Frame frame = _path[^1];
            if (frame.Next == frame.Moves.Length)
            {
                Leave(frame);
                continue;
            }
            Move move = frame.Moves[frame.Next++];
            WorldState state = _world.Apply(frame.State, move);
            if (!scenario.Bench.Words.HasGrown)
            {
                _moves++;
                _kills += move.Kind == MoveKind.Kill ? 1 : 0;
                Enter(state, move);
            }
        }
        return !scenario.Bench.Words.HasGrown;
    }

    private void Enter(WorldState state, Move move)
    {
        List<Move> way = [move];
        List<UInt128> hashes = [];
        bool isEnd;
        for (int step = 0; ; step++)
        {
            _world.FindMoves(state, _found);
            isEnd = World.IsEnd(_found);
            bool isFork = isEnd || _found.Count != 1;
            if (isFork || step % RememberedEvery == 0)
            {
                UInt128 hash = state.Hash(bound is not null);
                if (_schedules.TryGetValue(hash, out double known))
                {
                    Remember(hashes, known);
                    return;
                }
                hashes.Add(hash);
            }
            _states++;
            if (isFork)
            {
                break;
            }
            // There is one way on: it needs no state of its own.
            way.Add(_found[0]);
            _world.Make(state, _found[0]);
            _moves++;
            if (scenario.Bench.Words.HasGrown)
            {
                return;
            }
        }
        _path.Add(new Frame(state, [.. _found], hashes, way) { Schedules = isEnd ? 1 : 0 });
        _ends += isEnd ? 1 : 0;
        if ((state.Fault ?? (isEnd ? _world.Judge(state) : null)) is { } fault)
        {
            _finding = new Finding(fault, [.. _path.SelectMany(static frame => frame.Way).Skip(1)]);
        }
        _isCut = _schedules.Count >= mostStates || (stop is not null && stop());
    }

    private void Leave(Frame frame)
    {
        _path.RemoveAt(_path.Count - 1);
        Remember(frame.Hashes, frame.Schedules);
        _total = frame.Schedules;
    }

    // As many schedules lead from each state of a stretch to an end.
    private void Remember(List<UInt128> hashes, double schedules)
    {
        foreach (UInt128 hash in hashes)
        {
            _schedules[hash] = schedules;
        }
        if (_path.Count > 0)
        {
            _path[^1].Schedules += schedules;
        }
    }

    /// <summary>The finding with the fewest preemptions, as those are the easiest to read; null when there is none.</summary>
    public static Finding? FindSimplest(Scenario scenario, MemoryMode mode, int mostPreemptions, long mostStates)
    {
        for (int bound = 0; bound <= mostPreemptions; bound++)
        {
            if (new Explorer(scenario, mode, bound, mostStates).Run().Finding is { } finding)
            {
                return finding;
            }
        }
        return null;
    }

    // A state with several ways on, on the way from the beginning to where the exploration is; and the
    // stretch that led there from the one before.
    private sealed class Frame(WorldState state, Move[] moves, List<UInt128> hashes, List<Move> way)
    {
        public WorldState State => state;

        public Move[] Moves => moves;

        public List<UInt128> Hashes => hashes;

        public List<Move> Way => way;

        public int Next { get; set; }

        public double Schedules { get; set; }
    }
}
