namespace BlitQueue.Explorer;

/// <summary>Goes through everything that the scheduler can do, each state once.</summary>
/// <param name="scenario">The processes.</param>
/// <param name="mode">The memory.</param>
/// <param name="bound">How often a process that could go on may be left for another; null for any number of times.</param>
/// <param name="mostStates">After how many states it gives up.</param>
/// <param name="stop">Whether it is to give up.</param>
internal sealed class Explorer(Scenario scenario, MemoryMode mode, int? bound = null, long mostStates = long.MaxValue, Func<bool>? stop = null)
{
    private readonly Dictionary<UInt128, double> _schedules = [];
    private readonly List<Frame> _path = [];
    private World _world = null!;
    private Finding? _finding;
    private long _moves, _ends, _kills;
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
            (_moves, _ends, _kills, _total, _finding, _isCut) = (0, 0, 0, 0, null, false);
            _world = new World(scenario, mode, bound);
        }
        while (!TryExplore());
        return new Exploration(
            _finding, !_isCut && _finding is null, _schedules.Count, _moves, _ends, _total, _kills, _world.Tree.Count);
    }

    private bool TryExplore()
    {
        WorldState begin = _world.Begin();
        if (scenario.Bench.Words.HasGrown)
        {
            return false;
        }
        Enter(begin, default);
        while (_path.Count > 0 && _finding is null && !_isCut)
        {
            Frame frame = _path[^1];
            if (frame.Next == frame.Moves.Length)
            {
                Leave(frame);
                continue;
            }
            Move move = frame.Moves[frame.Next++];
            WorldState state = _world.Apply(frame.State, move);
            if (scenario.Bench.Words.HasGrown)
            {
                return false;
            }
            _moves++;
            _kills += move.Kind == MoveKind.Kill ? 1 : 0;
            Enter(state, move);
        }
        return true;
    }

    private void Enter(WorldState state, Move move)
    {
        UInt128 hash = state.Hash(bound is not null);
        if (_schedules.TryGetValue(hash, out double known))
        {
            _path[^1].Schedules += known;
            return;
        }
        var moves = new List<Move>();
        _world.FindMoves(state, moves);
        bool isEnd = World.IsEnd(moves);
        _path.Add(new Frame(state, [.. moves], hash, move) { Schedules = isEnd ? 1 : 0 });
        _ends += isEnd ? 1 : 0;
        if ((state.Fault ?? (isEnd ? _world.Judge(state) : null)) is { } fault)
        {
            _finding = new Finding(fault, [.. _path.Skip(1).Select(static frame => frame.Move)]);
        }
        _isCut = _schedules.Count >= mostStates || (stop is not null && (_moves & 1023) == 0 && stop());
    }

    private void Leave(Frame frame)
    {
        _schedules[frame.Hash] = frame.Schedules;
        _path.RemoveAt(_path.Count - 1);
        if (_path.Count > 0)
        {
            _path[^1].Schedules += frame.Schedules;
        }
        else
        {
            _total = frame.Schedules;
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

    // One state on the way from the beginning to where the exploration is.
    private sealed class Frame(WorldState state, Move[] moves, UInt128 hash, Move move)
    {
        public WorldState State => state;

        public Move[] Moves => moves;

        public UInt128 Hash => hash;

        public Move Move => move;

        public int Next { get; set; }

        public double Schedules { get; set; }
    }
}
