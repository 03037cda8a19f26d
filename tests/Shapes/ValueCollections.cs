using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BlitQueue.Shapes;

/// <summary>Every collection, of values.</summary>
[QueueMessage]
public partial class ValueCollections
{
    public HashSet<int>? HashSet { get; set; }
    public Queue<int>? Queue { get; set; }
    public Stack<int>? Stack { get; set; }
    public LinkedList<int>? LinkedList { get; set; }
    public SortedSet<int>? SortedSet { get; set; }
    public ConcurrentQueue<int>? ConcurrentQueue { get; set; }
    public ConcurrentStack<int>? ConcurrentStack { get; set; }
    public ConcurrentBag<int>? ConcurrentBag { get; set; }
    public BlockingCollection<int>? BlockingCollection { get; set; }
    public Collection<int>? Collection { get; set; }
    public ObservableCollection<int>? ObservableCollection { get; set; }
    public ReadOnlyCollection<int>? ReadOnlyCollection { get; set; }
    public ReadOnlyObservableCollection<int>? ReadOnlyObservableCollection { get; set; }
    public ReadOnlySet<int>? ReadOnlySet { get; set; }
    public ImmutableList<int>? ImmutableList { get; set; }
    public ImmutableHashSet<int>? ImmutableHashSet { get; set; }
    public ImmutableSortedSet<int>? ImmutableSortedSet { get; set; }
    public ImmutableQueue<int>? ImmutableQueue { get; set; }
    public ImmutableStack<int>? ImmutableStack { get; set; }
    public IImmutableList<int>? IImmutableList { get; set; }
    public IImmutableSet<int>? IImmutableSet { get; set; }
    public IImmutableQueue<int>? IImmutableQueue { get; set; }
    public IImmutableStack<int>? IImmutableStack { get; set; }
    public FrozenSet<int>? FrozenSet { get; set; }
    public IEnumerable<int>? IEnumerable { get; set; }
    public ICollection<int>? ICollection { get; set; }
    public IList<int>? IList { get; set; }
    public IReadOnlyCollection<int>? IReadOnlyCollection { get; set; }
    public IReadOnlyList<int>? IReadOnlyList { get; set; }
    public ISet<int>? ISet { get; set; }
    public IReadOnlySet<int>? IReadOnlySet { get; set; }
}
