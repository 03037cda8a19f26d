namespace BlitQueue.Explorer;

/// <summary>
/// Every value that a word had may be seen by a process until something has told it of a later one: its own access to the word, an acquire
/// that reads what a release wrote, which tells all that the writer knew, an exchange or increment, which see the latest value and tell all
/// that earlier ones knew, the sleeper's fence, which tells every thread everything, or the kernel, where it says that a process is dead.
/// </summary>
/// <remarks>
/// So writes without release may be seen in any order and reads without acquire may be of any age, as on Arm; and a release followed by an
/// acquire of another word may be seen in the other order, as .NET allows. Not modelled: a read that is carried out before an earlier one
/// is known to matter on a value that is written only later (load buffering), which no processor in use
/// does with the dependencies that are here.
/// </remarks>
internal sealed class ViewMemory : SimulatedMemory
{
    private readonly WordTable _words;

    // Of each word its values that may still be seen, from the number in _first on; numbers never come again.
    private readonly List<(long Value, ushort[]? Known)>[] _values;
    private readonly ushort[] _first;

    // Of each process the number of the oldest value of each word that it may still see; last, what all full fences have told.
    private readonly ushort[][] _views;
    private readonly bool[] _gone;
    private readonly bool _wakersPay;

    // Where processes have fences of their own: of each one what its reads without acquire have shown and a read fence will tell it, and
    // what it knew at its last write fence, which its later writes tell those who read them and fence; empty where none has.
    private readonly ushort[][] _shown = [];
    private readonly ushort[]?[] _fenced = [];

    public ViewMemory(WordTable words, int actors, bool wakersPay, bool fences)
    {
        if (fences)
        {
            _shown = [.. Enumerable.Range(0, actors).Select(_ => new ushort[words.Count])];
            _fenced = new ushort[]?[actors];
        }
        _wakersPay = wakersPay;
        _words = words;
        _values = [.. Enumerable.Range(0, words.Count).Select(word => new List<(long, ushort[]?)> { (words.InitialOf(word), null) })];
        _first = new ushort[words.Count];
        _views = [.. Enumerable.Range(0, actors + 1).Select(_ => new ushort[words.Count])];
        _gone = new bool[actors];
    }

    private ViewMemory(ViewMemory from)
    {
        (_words, _first, _gone, _wakersPay) = (from._words, [.. from._first], [.. from._gone], from._wakersPay);
        // A fence's knowledge is replaced, never changed.
        (_shown, _fenced) = ([.. from._shown.Select(static shown => (ushort[])[.. shown])], [.. from._fenced]);
        _values = new List<(long, ushort[]?)>[from._values.Length];
        for (int word = 0; word < _values.Length; word++)
        {
            _values[word] = [.. from._values[word]];
        }
        _views = new ushort[from._views.Length][];
        for (int actor = 0; actor < _views.Length; actor++)
        {
            _views[actor] = [.. from._views[actor]];
        }
    }

    private ushort[] Fences => _views[^1];

    public override SimulatedMemory Clone() => new ViewMemory(this);

    public override int Outcomes(int actor, in Access access) =>
        access.Kind is AccessKind.Load or AccessKind.Read ? LatestNumber(access.Word) - _views[actor][access.Word] + 1 : 1;

    public override long Do(int actor, in Access access, int outcome)
    {
        ushort[] view = _views[actor];
        switch (access.Kind)
        {
            case AccessKind.Load or AccessKind.Read:
                int number = LatestNumber(access.Word) - outcome;
                (long value, ushort[]? known) = _values[access.Word][number - _first[access.Word]];
                view[access.Word] = (ushort)number;
                if (access.Kind == AccessKind.Load)
                {
                    Join(view, known);
                }
                else if (_shown.Length > 0)
                {
                    Join(_shown[actor], known);
                }
                Forget(access.Word);
                return value;
            case AccessKind.Store or AccessKind.Write:
                Add(view, access.Word, access.Value, access.Kind == AccessKind.Store ? view : FencedBy(actor));
                return 0;
            case AccessKind.ReadFence when _shown.Length > 0:
                Join(view, _shown[actor]);
                ForgetAll();
                return 0;
            case AccessKind.WriteFence when _shown.Length > 0:
                _fenced[actor] = [.. view];
                return 0;
            case AccessKind.Exchange or AccessKind.Increment:
                return Exchange(view, access);
            case AccessKind.Fence:
            case AccessKind.WakerFence or AccessKind.SleeperFence when _wakersPay:
                Join(view, Fences);
                Join(Fences, view);
                ForgetAll();
                return 0;
            case AccessKind.SleeperFence:
                // What the dead have done has arrived as well.
                for (int other = 0; other < _gone.Length; other++)
                {
                    Join(Fences, _views[other]);
                }
                for (int other = 0; other < _gone.Length; other++)
                {
                    Join(_views[other], _gone[other] ? null : Fences);
                }
                ForgetAll();
                return 0;
            default:
                return 0;
        }
    }

    public override long Latest(int word) => _values[word][^1].Value;

    public override void Learn(int actor, int from)
    {
        Join(_views[actor], _views[from]);
        ForgetAll();
    }

    public override void CatchUp(int actor, int word)
    {
        _views[actor][word] = (ushort)LatestNumber(word);
        Forget(word);
    }

    public override void Leave(int actor)
    {
        _gone[actor] = true;
        ForgetAll();
    }

    public override void AddTo(ref StateHash hash)
    {
        for (int word = 0; word < _values.Length; word++)
        {
            hash.Add(_values[word].Count);
            foreach ((long value, ushort[]? known) in _values[word])
            {
                hash.Add(value);
                AddView(ref hash, known);
            }
        }
        foreach (ushort[]? view in _views.Concat(_shown).Concat(_fenced))
        {
            AddView(ref hash, view);
        }
    }

    private void AddView(ref StateHash hash, ushort[]? view)
    {
        if (view is null)
        {
            hash.Add(-1);
            return;
        }
        // What is older than anything that can be seen makes no difference; four words fill one.
        long packed = 0;
        for (int word = 0; word < view.Length; word++)
        {
            packed = (packed << 16) | (uint)Math.Max(view[word] - _first[word], 0);
            if ((word & 3) == 3)
            {
                hash.Add(packed);
                packed = 0;
            }
        }
        hash.Add(packed);
    }

    private int LatestNumber(int word) => _first[word] + _values[word].Count - 1;

    private long Exchange(ushort[] view, in Access access)
    {
        int word = access.Word;
        (long before, ushort[]? known) = _values[word][^1];
        Join(view, Fences);
        Join(view, known);
        view[word] = (ushort)LatestNumber(word);
        long after = Written(access, before, _words.SizeOf(word));
        if (access.Kind == AccessKind.Increment || before == access.Expected)
        {
            Add(view, word, after, view);
        }
        Join(Fences, view);
        ForgetAll();
        return access.Observes ? before : 0;
    }

    private ushort[]? FencedBy(int actor) => _fenced.Length > 0 ? _fenced[actor] : null;

    // What it tells those who acquire it: a copy, as the writer goes on to learn.
    private void Add(ushort[] view, int word, long value, ushort[]? tells)
    {
        view[word] = (ushort)(LatestNumber(word) + 1);
        _values[word].Add((value, tells is null ? null : [.. tells]));
        Forget(word);
    }

    private static void Join(ushort[] view, ushort[]? other)
    {
        for (int word = 0; word < other?.Length; word++)
        {
            view[word] = Math.Max(view[word], other[word]);
        }
    }

    private void ForgetAll()
    {
        for (int word = 0; word < _values.Length; word++)
        {
            Forget(word);
        }
    }

    // Values that nobody can see any more.
    private void Forget(int word)
    {
        if (_values[word].Count == 1)
        {
            return;
        }
        int oldest = LatestNumber(word);
        for (int actor = 0; actor < _gone.Length; actor++)
        {
            oldest = _gone[actor] ? oldest : Math.Min(oldest, _views[actor][word]);
        }
        _values[word].RemoveRange(0, oldest - _first[word]);
        _first[word] = (ushort)oldest;
    }
}
