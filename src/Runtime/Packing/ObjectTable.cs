namespace BlitQueue;

/// <summary>The objects of one root message that may be referred to again, by their numbers in order of first appearance.</summary>
internal sealed class ObjectTable
{
    private readonly Dictionary<object, int> _numbers = new(ReferenceEqualityComparer.Instance);
    private readonly List<object> _objects = [];

    public int Count => _objects.Count;

    public object this[int number] => _objects[number];

    public bool TryGetNumber(object instance, out int number) => _numbers.TryGetValue(instance, out number);

    public void Add(object instance)
    {
        _numbers.Add(instance, _objects.Count);
        _objects.Add(instance);
    }

    public void Clear()
    {
        _numbers.Clear();
        _objects.Clear();
    }
}
