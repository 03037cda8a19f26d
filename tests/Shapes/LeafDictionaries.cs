using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BlitQueue.Shapes;

/// <summary>Every dictionary, of keys and messages.</summary>
[QueueMessage]
public partial class LeafDictionaries
{
    public Dictionary<DayOfWeek, Leaf?>? Dictionary { get; set; }
    public SortedDictionary<DayOfWeek, Leaf?>? SortedDictionary { get; set; }
    public SortedList<DayOfWeek, Leaf?>? SortedList { get; set; }
    public OrderedDictionary<DayOfWeek, Leaf?>? OrderedDictionary { get; set; }
    public ConcurrentDictionary<DayOfWeek, Leaf?>? ConcurrentDictionary { get; set; }
    public ReadOnlyDictionary<DayOfWeek, Leaf?>? ReadOnlyDictionary { get; set; }
    public ImmutableDictionary<DayOfWeek, Leaf?>? ImmutableDictionary { get; set; }
    public ImmutableSortedDictionary<DayOfWeek, Leaf?>? ImmutableSortedDictionary { get; set; }
    public IImmutableDictionary<DayOfWeek, Leaf?>? IImmutableDictionary { get; set; }
    public FrozenDictionary<DayOfWeek, Leaf?>? FrozenDictionary { get; set; }
    public IDictionary<DayOfWeek, Leaf?>? IDictionary { get; set; }
    public IReadOnlyDictionary<DayOfWeek, Leaf?>? IReadOnlyDictionary { get; set; }
}
