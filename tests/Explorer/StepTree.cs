namespace BlitQueue.Explorer;

/// <summary>
/// The code of all steps of a scenario as trees of what can be seen. A process's state is the node that it is at: code that sees the same
/// does the same. The real code runs only where a value is seen for the first time; everything else is looking up.
/// </summary>
internal sealed class StepTree(Scenario scenario)
{
    private readonly List<StepNode> _nodes = [];
    private readonly List<(int Actor, int Step)> _owners = [];
    private readonly List<string> _faults = [];
    private readonly Dictionary<(int Actor, int Step), int> _roots = [];

    public StepNode this[int node] => _nodes[node];

    public int Count => _nodes.Count;

    public string Fault(long number) => _faults[(int)number];

    /// <summary>The first node of a process's step; -1 when it has no such step.</summary>
    public int Root(int actor, int step)
    {
        if (step >= scenario.Actors[actor].Steps.Count)
        {
            return -1;
        }
        if (!_roots.TryGetValue((actor, step), out int root))
        {
            root = Grow(actor, step, -1, 0);
            _roots.Add((actor, step), root);
        }
        return root;
    }

    /// <summary>Where a process is after it was at a node and saw a value there.</summary>
    /// <returns>-1 when it is through with everything.</returns>
    public int After(int node, long value)
    {
        StepNode at = _nodes[node];
        if (at.Access.Kind == AccessKind.End)
        {
            return Root(_owners[node].Actor, _owners[node].Step + 1);
        }
        int next = at.Next(value);
        return next >= 0 ? next : Grow(_owners[node].Actor, _owners[node].Step, node, value);
    }

    /// <summary>What the clock was when the lease was taken, or before, that a process has at a node.</summary>
    public long TimeOfLease(int node)
    {
        bool isBefore = false;
        for (int later = node, at = _nodes[node].Parent; at >= 0; (later, at) = (at, _nodes[at].Parent))
        {
            Access access = _nodes[at].Access;
            isBefore |= access is { Kind: AccessKind.Note, Word: (int)NoteKind.Taken };
            if (isBefore && access.Kind == AccessKind.Clock)
            {
                return _nodes[later].Value;
            }
        }
        return 0;
    }

    private int Grow(int actor, int step, int parent, long value)
    {
        Weakness? weakness = scenario.Weakness?.Of is { } of && of != scenario.Actors[actor].Name ? null : scenario.Weakness;
        bool hasHeavyFence = scenario.Actors[actor].HasHeavyFence;
        var run = new StepRun(scenario.Bench.Words, Path(parent, value), weakness, scenario.Bench.ProcessOfLock, scenario.Ticks > 0)
        {
            GivesUpFences = scenario.GivesUpFences,
            Biases = scenario.Biases,
            HasHeavyFence = hasHeavyFence,
            SleepersPay = hasHeavyFence && !scenario.WakersPay,
        };
        Seat seat = scenario.Bench.SeatOf(scenario.ProcessOf(actor), run);
        run.Go(() => scenario.Actors[actor].Steps[step](seat), Note);
        int first = -1;
        foreach (Access access in run.Fresh)
        {
            parent = Add(actor, step, access, parent, value);
            first = first < 0 ? parent : first;
            value = 0;
        }
        return first >= 0
            ? first
            : throw new InvalidOperationException(
                "The step's code ended earlier when it was told the same: something in it is not simulated.");
    }

    private int Add(int actor, int step, in Access access, int parent, long value)
    {
        var node = new StepNode(access, parent, value, parent < 0 ? 0 : _nodes[parent].Depth + 1);
        node.IsAfterChange = parent < 0 || _nodes[parent].Access is not { Observes: true, Writes: false } && (_nodes[parent].Access.Kind
            is not (AccessKind.Note or AccessKind.Rest or AccessKind.ReadFence or AccessKind.WriteFence) || _nodes[parent].IsAfterChange);
        int number = _nodes.Count;
        _nodes.Add(node);
        _owners.Add((actor, step));
        if (parent >= 0)
        {
            _nodes[parent].Add(value, number);
        }
        if (access.Kind is AccessKind.Rest or AccessKind.Sleep)
        {
            (node.Seen, int pause) = SeenBefore(node);
            node.WaitsForChange = access.Kind == AccessKind.Rest && pause >= 0 && node.Seen.SequenceEqual(_nodes[pause].Seen);
        }
        return number;
    }

    // What was seen since the pause before, each with the value in place of the one to write; and that pause.
    private (Access[] Seen, int Pause) SeenBefore(StepNode node)
    {
        var seen = new List<Access>();
        long value = node.Value;
        for (int at = node.Parent; at >= 0; at = _nodes[at].Parent)
        {
            Access access = _nodes[at].Access;
            if (access.Kind is AccessKind.Rest or AccessKind.Sleep)
            {
                return ([.. seen], at);
            }
            if (access.Observes && access.Kind != AccessKind.Clock)
            {
                seen.Add(access with { Value = value, Expected = 0 });
            }
            value = _nodes[at].Value;
        }
        return ([.. seen], -1);
    }

    // What was done on the way to a node, and seen, with what the node itself sees.
    private (Access Access, long Value)[] Path(int node, long value)
    {
        if (node < 0)
        {
            return [];
        }
        var path = new (Access, long)[_nodes[node].Depth + 1];
        for (int at = node; at >= 0; at = _nodes[at].Parent)
        {
            path[_nodes[at].Depth] = (_nodes[at].Access, value);
            value = _nodes[at].Value;
        }
        return path;
    }

    private int Note(Exception exception)
    {
        _faults.Add($"{exception.GetType().Name}: {exception.Message}");
        return _faults.Count - 1;
    }
}
