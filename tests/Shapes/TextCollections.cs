using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BlitQueue.Shapes;

/// <summary>Every collection, of strings.</summary>
[QueueMessage]
public partial class TextCollections
{
    public HashSet<string>? HashSet { get; set; }
    public Queue<string>? Queue { get; set; }
    public Stack<string>? Stack { get; set; }
    public LinkedList<string>? LinkedList { get; set; }
    public SortedSet<string>? SortedSet { get; set; }
    public ConcurrentQueue<string>? ConcurrentQueue { get; set; }
    public ConcurrentStack<string>? ConcurrentStack { get; set; }
    public ConcurrentBag<string>? ConcurrentBag { get; set; }
    public BlockingCollection<string>? BlockingCollection { get; set; }
    public Collection<string>? Collection { get; set; }
    public ObservableCollection<string>? ObservableCollection { get; set; }
    public ReadOnlyCollection<string>? ReadOnlyCollection { get; set; }
    public ReadOnlyObservableCollection<string>? ReadOnlyObservableCollection { get; set; }
    public ReadOnlySet<string>? ReadOnlySet { get; set; }
    public ImmutableList<string>? ImmutableList { get; set; }
    public ImmutableHashSet<string>? ImmutableHashSet { get; set; }
    public ImmutableSortedSet<string>? ImmutableSortedSet { get; set; }
    public ImmutableQueue<string>? ImmutableQueue { get; set; }
    public ImmutableStack<string>? ImmutableStack { get; set; }
    public IImmutableList<string>? IImmutableList { get; set; }
    public IImmutableSet<string>? IImmutableSet { get; set; }
    public IImmutableQueue<string>? IImmutableQueue { get; set; }
    public IImmutableStack<string>? IImmutableStack { get; set; }
    public FrozenSet<string>? FrozenSet { get; set; }
    public IEnumerable<string>? IEnumerable { get; set; }
    public ICollection<string>? ICollection { get; set; }
    public IList<string>? IList { get; set; }
    public IReadOnlyCollection<string>? IReadOnlyCollection { get; set; }
    public IReadOnlyList<string>? IReadOnlyList { get; set; }
    public ISet<string>? ISet { get; set; }
    public IReadOnlySet<string>? IReadOnlySet { get; set; }
}
