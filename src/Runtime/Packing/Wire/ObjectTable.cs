namespace BlitQueue;

/// <summary>The objects of one root message to which the bytes may refer again, by their numbers in order of first appearance.</summary>
/// <param name="recordsStarts">Whether a part of the message is read again afterwards: see <see cref="From"/>.</param>
internal sealed class ObjectTable(bool recordsStarts = false)
{
    private readonly Dictionary<object, int> _numbers = new(ReferenceEqualityComparer.Instance);
    private readonly List<object> _objects = [];
    private readonly List<int>? _starts = recordsStarts ? [] : null;
    private int _start;

    /// <summary>How many objects have begun.</summary>
    public int Count { get; private set; }

    /// <summary>The object that begins next, if a part is read again.</summary>
    public object? Expected => Count < _objects.Count ? _objects[Count] : null;

    public object this[int number] => _objects[number];

    public bool TryGetNumber(object instance, out int number) => _numbers.TryGetValue(instance, out number);

    /// <summary>Notes where the message of the object begins that is added next.</summary>
    public void Begin(int start) => _start = start;

    public void Add(object instance)
    {
        // If the bytes have changed since the first reading, the objects that it found do not count any more.
        if (Expected is { } expected && !ReferenceEquals(expected, instance))
        {
            ForgetExpected();
        }

        if (Count == _objects.Count)
        {
            _numbers.Add(instance, Count);
            _objects.Add(instance);
            _starts?.Add(_start);
        }

        Count++;
    }

    /// <summary>Goes back to an offset: objects that begin there or later are read, and filled, once more.</summary>
    public ObjectTable From(int offset)
    {
        int index = _starts!.BinarySearch(offset);
        Count = index < 0 ? ~index : index;
        return this;
    }

    public void Clear()
    {
        if (_starts is not null)
        {
            return;
        }

        _numbers.Clear();
        _objects.Clear();
        Count = 0;
    }

    private void ForgetExpected()
    {
        foreach (object forgotten in _objects[Count..])
        {
            _numbers.Remove(forgotten);
        }

        _objects.RemoveRange(Count, _objects.Count - Count);
    }
}
