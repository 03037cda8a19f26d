using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BlitQueue.Shapes;

/// <summary>Every dictionary, of values.</summary>
[QueueMessage]
public partial class ValueDictionaries
{
    public Dictionary<short, int>? Dictionary { get; set; }
    public SortedDictionary<short, int>? SortedDictionary { get; set; }
    public SortedList<short, int>? SortedList { get; set; }
    public OrderedDictionary<short, int>? OrderedDictionary { get; set; }
    public ConcurrentDictionary<short, int>? ConcurrentDictionary { get; set; }
    public ReadOnlyDictionary<short, int>? ReadOnlyDictionary { get; set; }
    public ImmutableDictionary<short, int>? ImmutableDictionary { get; set; }
    public ImmutableSortedDictionary<short, int>? ImmutableSortedDictionary { get; set; }
    public IImmutableDictionary<short, int>? IImmutableDictionary { get; set; }
    public FrozenDictionary<short, int>? FrozenDictionary { get; set; }
    public IDictionary<short, int>? IDictionary { get; set; }
    public IReadOnlyDictionary<short, int>? IReadOnlyDictionary { get; set; }
}
