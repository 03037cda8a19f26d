using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BlitQueue.Shapes;

/// <summary>Every collection that is a span of memory.</summary>
[QueueMessage]
public partial class SpanCollections
{
    public Memory<int> Memory { get; set; }
    public ReadOnlyMemory<int> ReadOnlyMemory { get; set; }
    public ArraySegment<int> ArraySegment { get; set; }
    public ReadOnlySequence<int> ReadOnlySequence { get; set; }
    public ImmutableArray<int> ImmutableArray { get; set; }
    public Memory<string> MemoryOfStrings { get; set; }
    public ReadOnlyMemory<string> ReadOnlyMemoryOfStrings { get; set; }
    public ArraySegment<string> ArraySegmentOfStrings { get; set; }
    public ReadOnlySequence<string> ReadOnlySequenceOfStrings { get; set; }
    public ImmutableArray<string> ImmutableArrayOfStrings { get; set; }
    public Memory<bool?> MemoryOfNullables { get; set; }
    public ReadOnlyMemory<bool?> ReadOnlyMemoryOfNullables { get; set; }
    public ArraySegment<bool?> ArraySegmentOfNullables { get; set; }
    public ReadOnlySequence<bool?> ReadOnlySequenceOfNullables { get; set; }
    public ImmutableArray<bool?> ImmutableArrayOfNullables { get; set; }
    public Memory<Leaf> MemoryOfLeaves { get; set; }
    public ReadOnlyMemory<Leaf> ReadOnlyMemoryOfLeaves { get; set; }
    public ArraySegment<Leaf> ArraySegmentOfLeaves { get; set; }
    public ReadOnlySequence<Leaf> ReadOnlySequenceOfLeaves { get; set; }
    public ImmutableArray<Leaf> ImmutableArrayOfLeaves { get; set; }
    public Memory<byte>? NullableMemory { get; set; }
    public ReadOnlyMemory<long>? NullableReadOnlyMemory { get; set; }
    public ReadOnlySequence<char>? NullableReadOnlySequence { get; set; }
}
