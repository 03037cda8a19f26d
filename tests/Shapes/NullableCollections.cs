using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BlitQueue.Shapes;

/// <summary>Every collection that need not compare, of values or none.</summary>
[QueueMessage]
public partial class NullableCollections
{
    public HashSet<decimal?>? HashSet { get; set; }
    public Queue<decimal?>? Queue { get; set; }
    public Stack<decimal?>? Stack { get; set; }
    public LinkedList<decimal?>? LinkedList { get; set; }
    public ConcurrentQueue<decimal?>? ConcurrentQueue { get; set; }
    public ConcurrentStack<decimal?>? ConcurrentStack { get; set; }
    public ConcurrentBag<decimal?>? ConcurrentBag { get; set; }
    public BlockingCollection<decimal?>? BlockingCollection { get; set; }
    public Collection<decimal?>? Collection { get; set; }
    public ObservableCollection<decimal?>? ObservableCollection { get; set; }
    public ReadOnlyCollection<decimal?>? ReadOnlyCollection { get; set; }
    public ReadOnlyObservableCollection<decimal?>? ReadOnlyObservableCollection { get; set; }
    public ReadOnlySet<decimal?>? ReadOnlySet { get; set; }
    public ImmutableList<decimal?>? ImmutableList { get; set; }
    public ImmutableHashSet<decimal?>? ImmutableHashSet { get; set; }
    public ImmutableQueue<decimal?>? ImmutableQueue { get; set; }
    public ImmutableStack<decimal?>? ImmutableStack { get; set; }
    public IImmutableList<decimal?>? IImmutableList { get; set; }
    public IImmutableSet<decimal?>? IImmutableSet { get; set; }
    public IImmutableQueue<decimal?>? IImmutableQueue { get; set; }
    public IImmutableStack<decimal?>? IImmutableStack { get; set; }
    public FrozenSet<decimal?>? FrozenSet { get; set; }
    public IEnumerable<decimal?>? IEnumerable { get; set; }
    public ICollection<decimal?>? ICollection { get; set; }
    public IList<decimal?>? IList { get; set; }
    public IReadOnlyCollection<decimal?>? IReadOnlyCollection { get; set; }
    public IReadOnlyList<decimal?>? IReadOnlyList { get; set; }
    public ISet<decimal?>? ISet { get; set; }
    public IReadOnlySet<decimal?>? IReadOnlySet { get; set; }
}
