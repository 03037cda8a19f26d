namespace BlitQueue.Explorer;

/// <summary>
/// Total store order: a process's writes go through a queue of its own, in order; it sees them itself, others do when they have left it. An
/// exchange, an increment, fences and calls of the kernel wait until the own queue is empty; the sleeper's fence empties those of all
/// others, as membarrier does.
/// </summary>
internal sealed class BufferedMemory : SimulatedMemory
{
    private readonly WordTable _words;
    private readonly long[] _values;
    private readonly List<(int Word, long Value)>[] _buffers;
    private readonly bool _wakersPay;

    public BufferedMemory(WordTable words, int actors, bool wakersPay)
    {
        _wakersPay = wakersPay;
        _words = words;
        _values = [.. Enumerable.Range(0, words.Count).Select(words.InitialOf)];
        _buffers = [.. Enumerable.Range(0, actors).Select(static _ => new List<(int, long)>())];
    }

    private BufferedMemory(BufferedMemory from)
    {
        (_words, _values, _buffers, _wakersPay) = (from._words, [.. from._values], new List<(int, long)>[from._buffers.Length],
            from._wakersPay);
        for (int actor = 0; actor < _buffers.Length; actor++)
        {
            _buffers[actor] = [.. from._buffers[actor]];
        }
    }

    public override SimulatedMemory Clone() => new BufferedMemory(this);

    public override int Outcomes(int actor, in Access access) => 1;

    public override long Do(int actor, in Access access, int outcome)
    {
        if (access.Kind is AccessKind.Exchange or AccessKind.Increment or AccessKind.SleeperFence or AccessKind.Fence or AccessKind.Sleep
            or AccessKind.Wake or AccessKind.Alive
            || (access.Kind == AccessKind.WakerFence && _wakersPay))
        {
            MoveToDeadLetters(actor);
        }
        switch (access.Kind)
        {
            case AccessKind.Load or AccessKind.Read:
                return Seen(actor, access.Word);
            case AccessKind.Store or AccessKind.Write:
                _buffers[actor].Add((access.Word, access.Value));
                return 0;
            case AccessKind.Exchange or AccessKind.Increment:
                long before = _values[access.Word];
                _values[access.Word] = Written(access, before, _words.SizeOf(access.Word));
                return access.Observes ? before : 0;
            case AccessKind.SleeperFence when !_wakersPay:
                for (int other = 0; other < _buffers.Length; other++)
                {
                    MoveToDeadLetters(other);
                }
                return 0;
            default:
                return 0;
        }
    }

    public override bool CanDrain(int actor) => _buffers[actor].Count > 0;

    public override bool IsUnderWay(int actor, int word) => _buffers[actor].Exists(write => write.Word == word);

    public override bool HaveInCommon(int actor, int other) =>
        _buffers[other].Count > 0 && _buffers[actor].Exists(write => IsUnderWay(other, write.Word));

    public override void Drain(int actor)
    {
        (int word, long value) = _buffers[actor][0];
        _buffers[actor].RemoveAt(0);
        _values[word] = value;
    }

    public override void MoveToDeadLetters(int actor)
    {
        while (CanDrain(actor))
        {
            Drain(actor);
        }
    }

    public override long Latest(int word) => _values[word];

    public override void AddTo(ref StateHash hash)
    {
        foreach (long value in _values)
        {
            hash.Add(value);
        }
        foreach (List<(int Word, long Value)> buffer in _buffers)
        {
            hash.Add(buffer.Count);
            foreach ((int word, long value) in buffer)
            {
                hash.Add(word);
                hash.Add(value);
            }
        }
    }

    private long Seen(int actor, int word)
    {
        List<(int Word, long Value)> own = _buffers[actor];
        for (int i = own.Count - 1; i >= 0; i--)
        {
            if (own[i].Word == word)
            {
                return own[i].Value;
            }
        }
        return _values[word];
    }
}
