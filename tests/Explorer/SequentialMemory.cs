namespace BlitQueue.Explorer;

/// <summary>One memory, in which everything happens at once.</summary>
internal sealed class SequentialMemory : SimulatedMemory
{
    private readonly WordTable _words;
    private readonly long[] _values;

    public SequentialMemory(WordTable words)
    {
        _words = words;
        _values = new long[words.Count];
        for (int word = 0; word < _values.Length; word++)
        {
            _values[word] = words.InitialOf(word);
        }
    }

    private SequentialMemory(SequentialMemory from) => (_words, _values) = (from._words, [.. from._values]);

    public override SimulatedMemory Clone() => new SequentialMemory(this);

    public override int Outcomes(int actor, in Access access) => 1;

    public override long Do(int actor, in Access access, int outcome)
    {
        if (access.Word < 0)
        {
            return 0;
        }
        long before = _values[access.Word];
        if (access.Writes)
        {
            _values[access.Word] = Written(access, before, _words.SizeOf(access.Word));
        }
        return access.Observes ? before : 0;
    }

    public override long Latest(int word) => _values[word];

    public override void AddTo(ref StateHash hash)
    {
        foreach (long value in _values)
        {
            hash.Add(value);
        }
    }
}
