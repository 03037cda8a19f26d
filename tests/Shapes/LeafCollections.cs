using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BlitQueue.Shapes;

/// <summary>Every collection that need not compare, of messages.</summary>
[QueueMessage]
public partial class LeafCollections
{
    public Queue<Leaf>? Queue { get; set; }
    public Stack<Leaf>? Stack { get; set; }
    public LinkedList<Leaf>? LinkedList { get; set; }
    public ConcurrentQueue<Leaf>? ConcurrentQueue { get; set; }
    public ConcurrentStack<Leaf>? ConcurrentStack { get; set; }
    public ConcurrentBag<Leaf>? ConcurrentBag { get; set; }
    public BlockingCollection<Leaf>? BlockingCollection { get; set; }
    public Collection<Leaf>? Collection { get; set; }
    public ObservableCollection<Leaf>? ObservableCollection { get; set; }
    public ReadOnlyCollection<Leaf>? ReadOnlyCollection { get; set; }
    public ReadOnlyObservableCollection<Leaf>? ReadOnlyObservableCollection { get; set; }
    public ImmutableList<Leaf>? ImmutableList { get; set; }
    public ImmutableQueue<Leaf>? ImmutableQueue { get; set; }
    public ImmutableStack<Leaf>? ImmutableStack { get; set; }
    public IImmutableList<Leaf>? IImmutableList { get; set; }
    public IImmutableQueue<Leaf>? IImmutableQueue { get; set; }
    public IImmutableStack<Leaf>? IImmutableStack { get; set; }
    public IEnumerable<Leaf>? IEnumerable { get; set; }
    public ICollection<Leaf>? ICollection { get; set; }
    public IList<Leaf>? IList { get; set; }
    public IReadOnlyCollection<Leaf>? IReadOnlyCollection { get; set; }
    public IReadOnlyList<Leaf>? IReadOnlyList { get; set; }
}
