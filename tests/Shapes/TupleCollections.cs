using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BlitQueue.Shapes;

/// <summary>Every collection, of tuples.</summary>
[QueueMessage]
public partial class TupleCollections
{
    public HashSet<(short Key, string Text)>? HashSet { get; set; }
    public Queue<(short Key, string Text)>? Queue { get; set; }
    public Stack<(short Key, string Text)>? Stack { get; set; }
    public LinkedList<(short Key, string Text)>? LinkedList { get; set; }
    public SortedSet<(short Key, string Text)>? SortedSet { get; set; }
    public ConcurrentQueue<(short Key, string Text)>? ConcurrentQueue { get; set; }
    public ConcurrentStack<(short Key, string Text)>? ConcurrentStack { get; set; }
    public ConcurrentBag<(short Key, string Text)>? ConcurrentBag { get; set; }
    public BlockingCollection<(short Key, string Text)>? BlockingCollection { get; set; }
    public Collection<(short Key, string Text)>? Collection { get; set; }
    public ObservableCollection<(short Key, string Text)>? ObservableCollection { get; set; }
    public ReadOnlyCollection<(short Key, string Text)>? ReadOnlyCollection { get; set; }
    public ReadOnlyObservableCollection<(short Key, string Text)>? ReadOnlyObservableCollection { get; set; }
    public ReadOnlySet<(short Key, string Text)>? ReadOnlySet { get; set; }
    public ImmutableList<(short Key, string Text)>? ImmutableList { get; set; }
    public ImmutableHashSet<(short Key, string Text)>? ImmutableHashSet { get; set; }
    public ImmutableSortedSet<(short Key, string Text)>? ImmutableSortedSet { get; set; }
    public ImmutableQueue<(short Key, string Text)>? ImmutableQueue { get; set; }
    public ImmutableStack<(short Key, string Text)>? ImmutableStack { get; set; }
    public IImmutableList<(short Key, string Text)>? IImmutableList { get; set; }
    public IImmutableSet<(short Key, string Text)>? IImmutableSet { get; set; }
    public IImmutableQueue<(short Key, string Text)>? IImmutableQueue { get; set; }
    public IImmutableStack<(short Key, string Text)>? IImmutableStack { get; set; }
    public FrozenSet<(short Key, string Text)>? FrozenSet { get; set; }
    public IEnumerable<(short Key, string Text)>? IEnumerable { get; set; }
    public ICollection<(short Key, string Text)>? ICollection { get; set; }
    public IList<(short Key, string Text)>? IList { get; set; }
    public IReadOnlyCollection<(short Key, string Text)>? IReadOnlyCollection { get; set; }
    public IReadOnlyList<(short Key, string Text)>? IReadOnlyList { get; set; }
    public ISet<(short Key, string Text)>? ISet { get; set; }
    public IReadOnlySet<(short Key, string Text)>? IReadOnlySet { get; set; }
}
