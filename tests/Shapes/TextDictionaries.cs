using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BlitQueue.Shapes;

/// <summary>Every dictionary, of strings and values or none.</summary>
[QueueMessage]
public partial class TextDictionaries
{
    public Dictionary<string, decimal?>? Dictionary { get; set; }
    public SortedDictionary<string, decimal?>? SortedDictionary { get; set; }
    public SortedList<string, decimal?>? SortedList { get; set; }
    public OrderedDictionary<string, decimal?>? OrderedDictionary { get; set; }
    public ConcurrentDictionary<string, decimal?>? ConcurrentDictionary { get; set; }
    public ReadOnlyDictionary<string, decimal?>? ReadOnlyDictionary { get; set; }
    public ImmutableDictionary<string, decimal?>? ImmutableDictionary { get; set; }
    public ImmutableSortedDictionary<string, decimal?>? ImmutableSortedDictionary { get; set; }
    public IImmutableDictionary<string, decimal?>? IImmutableDictionary { get; set; }
    public FrozenDictionary<string, decimal?>? FrozenDictionary { get; set; }
    public IDictionary<string, decimal?>? IDictionary { get; set; }
    public IReadOnlyDictionary<string, decimal?>? IReadOnlyDictionary { get; set; }
}
