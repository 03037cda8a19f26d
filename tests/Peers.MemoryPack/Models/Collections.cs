using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BlitQueue.Peers.Models;

[MemoryPackable, QueueMessage]
internal partial class Arrays
{
    public int[]? Numbers { get; set; }
    public string?[]? Texts { get; set; }
    public Texts?[]? Messages { get; set; }
    public int[]?[]? Jagged { get; set; }
    public int?[]? Nullable { get; set; }
    public int[,]? Two { get; set; }
    public string?[,,]? Three { get; set; }
    public byte[,,,]? Four { get; set; }
    public Memory<byte> Memory { get; set; }
    public ArraySegment<int> Segment { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Collections
{
    public List<string?>? List { get; set; }
    public Stack<int>? Stack { get; set; }
    public Queue<int>? Queue { get; set; }
    public LinkedList<int>? Linked { get; set; }
    public HashSet<int>? Set { get; set; }
    public SortedSet<int>? Sorted { get; set; }
    public PriorityQueue<string, int>? Priorities { get; set; }
    public Collection<int>? Collection { get; set; }
    public ObservableCollection<int>? Observable { get; set; }
    public ReadOnlyCollection<int>? ReadOnly { get; set; }
    public ConcurrentQueue<int>? ConcurrentQueue { get; set; }
    public ConcurrentStack<int>? ConcurrentStack { get; set; }
    public ConcurrentBag<int>? Bag { get; set; }
    public Dictionary<string, int>? Dictionary { get; set; }
    public SortedDictionary<int, string?>? SortedDictionary { get; set; }
    public SortedList<int, string?>? SortedList { get; set; }
    public ConcurrentDictionary<int, int>? Concurrent { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Immutables
{
    public ImmutableArray<int> Array { get; set; }
    public ImmutableList<int>? List { get; set; }
    public ImmutableQueue<int>? Queue { get; set; }
    public ImmutableStack<int>? Stack { get; set; }
    public ImmutableHashSet<int>? Set { get; set; }
    public ImmutableSortedSet<int>? Sorted { get; set; }
    public ImmutableDictionary<int, string?>? Dictionary { get; set; }
    public ImmutableSortedDictionary<int, string?>? SortedDictionary { get; set; }
    public FrozenSet<int>? FrozenSet { get; set; }
    public FrozenDictionary<int, string?>? FrozenDictionary { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Interfaces
{
    public IEnumerable<int>? Enumerable { get; set; }
    public ICollection<int>? Collection { get; set; }
    public IReadOnlyCollection<int>? ReadOnlyCollection { get; set; }
    public IList<int>? List { get; set; }
    public IReadOnlyList<int>? ReadOnlyList { get; set; }
    public IDictionary<int, string?>? Dictionary { get; set; }
    public IReadOnlyDictionary<int, string?>? ReadOnlyDictionary { get; set; }
    public ISet<int>? Set { get; set; }
    public IReadOnlySet<int>? ReadOnlySet { get; set; }
    public ILookup<int, string>? Lookup { get; set; }
}

// A collection of one's own: MemoryPack wants it marked, here it is packed as what it is.
[MemoryPackable(GenerateType.Collection)]
internal partial class Names : List<string>;

[MemoryPackable, QueueMessage]
internal partial class Named
{
    public Names? Names { get; set; }
}
