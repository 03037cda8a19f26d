using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Numerics;

namespace BlitQueue.Shapes.Swelling;

/// <summary>What takes much more memory than it has bytes: each member is a variable, and none is of fixed size.</summary>
[QueueMessage]
public partial class Swollen
{
    public List<Large?>? NullableList { get; set; }
    public Large?[]? NullableArray { get; set; }
    public Large[]? Array { get; set; }
    public List<Large>? List { get; set; }
    public Large?[,]? Grid { get; set; }
    public (byte, Large?)[]? Tuples { get; set; }
    public Queue<Large?>? Queue { get; set; }
    public HashSet<(byte, Large?)>? Set { get; set; }
    public Dictionary<int, Large?>? Dictionary { get; set; }
    public ConcurrentDictionary<int, Large?>? Concurrent { get; set; }
    public ConcurrentQueue<Large?>? ConcurrentQueue { get; set; }
    public ConcurrentBag<Large?>? ConcurrentBag { get; set; }
    public ImmutableList<Large?>? Immutable { get; set; }
    public Crates<Large?>? Generic { get; set; }
    public List<ConcurrentQueue<int>>? EmptyQueues { get; set; }
    public List<ConcurrentQueue<Large?>>? EmptyLargeQueues { get; set; }
    public List<ConcurrentBag<string>>? EmptyBags { get; set; }
    public List<ConcurrentStack<int>>? EmptyStacks { get; set; }
    public ConcurrentDictionary<int, string>[]? EmptyDictionaries { get; set; }
    public Dictionary<byte, ConcurrentDictionary<int, string>>? KeyedDictionaries { get; set; }
    public List<BlockingCollection<int>>? EmptyBlocking { get; set; }
    public List<ReadOnlyObservableCollection<int>>? EmptyObservable { get; set; }
    public List<FrozenDictionary<string, int>>? EmptyFrozen { get; set; }
    public List<ImmutableDictionary<short, byte>>? EmptyImmutable { get; set; }
    public List<PriorityQueue<int, int>>? EmptyPriorities { get; set; }
    public List<Lazy<byte>>? Lazies { get; set; }
    public List<Wide>? WideList { get; set; }
    public ILookup<short, Wide>? WideLookup { get; set; }
    public LinkedList<byte>? Linked { get; set; }
    public ImmutableList<byte>? ImmutableBytes { get; set; }
    public ConcurrentStack<byte>? StackOfBytes { get; set; }
    public SortedSet<short>? Sorted { get; set; }
    public Dictionary<short, byte>? Shorts { get; set; }
    public List<Uri>? Uris { get; set; }
    public List<TimeZoneInfo>? Zones { get; set; }
    public List<BigInteger>? Numbers { get; set; }
    public List<string>? Texts { get; set; }
    [PackWith(typeof(BitPackedBools))] public List<bool[]>? Bits { get; set; }
    [PackWith(typeof(BrotliBytes))] public List<byte[]>? Brotli { get; set; }
    [PackWith(typeof(BrotliString))] public string[]? BrotliTexts { get; set; }
    [PackWith(typeof(BrotliString))] public string? BrotliText { get; set; }
}

/// <summary>A struct whose null is 4 bytes.</summary>
[QueueMessage]
public partial struct Large
{
    public string? Name { get; set; }
    public Block A { get; set; }
    public Block B { get; set; }
}

/// <summary>A kilobyte.</summary>
public struct Block
{
    public Quarter A;
    public Quarter B;
    public Quarter C;
    public Quarter D;
}

/// <summary>A quarter of it.</summary>
public struct Quarter
{
    public Matrix4x4 A;
    public Matrix4x4 B;
    public Matrix4x4 C;
    public Matrix4x4 D;
}

/// <summary>A class of which the shortest message is 4 bytes.</summary>
[QueueMessage]
public sealed partial class Wide
{
    public Quarter A { get; set; }
    public Quarter B { get; set; }
    public Quarter C { get; set; }
    public Quarter D { get; set; }
}

/// <summary>Elements of any type.</summary>
[QueueMessage]
public sealed partial class Crates<T>
{
    public List<T>? List { get; set; }
    public T[]? Array { get; set; }
    public ConcurrentQueue<T>? Queue { get; set; }
    public Dictionary<int, T>? Dictionary { get; set; }
}
