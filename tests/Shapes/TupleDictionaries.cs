using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BlitQueue.Shapes;

/// <summary>Every dictionary, of tuples and lists.</summary>
[QueueMessage]
public partial class TupleDictionaries
{
    public Dictionary<(int Id, string Name), List<int>?>? Dictionary { get; set; }
    public SortedDictionary<(int Id, string Name), List<int>?>? SortedDictionary { get; set; }
    public SortedList<(int Id, string Name), List<int>?>? SortedList { get; set; }
    public OrderedDictionary<(int Id, string Name), List<int>?>? OrderedDictionary { get; set; }
    public ConcurrentDictionary<(int Id, string Name), List<int>?>? ConcurrentDictionary { get; set; }
    public ReadOnlyDictionary<(int Id, string Name), List<int>?>? ReadOnlyDictionary { get; set; }
    public ImmutableDictionary<(int Id, string Name), List<int>?>? ImmutableDictionary { get; set; }
    public ImmutableSortedDictionary<(int Id, string Name), List<int>?>? ImmutableSortedDictionary { get; set; }
    public IImmutableDictionary<(int Id, string Name), List<int>?>? IImmutableDictionary { get; set; }
    public FrozenDictionary<(int Id, string Name), List<int>?>? FrozenDictionary { get; set; }
    public IDictionary<(int Id, string Name), List<int>?>? IDictionary { get; set; }
    public IReadOnlyDictionary<(int Id, string Name), List<int>?>? IReadOnlyDictionary { get; set; }
}
