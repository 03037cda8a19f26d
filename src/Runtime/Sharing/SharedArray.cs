using System.Collections;
using BlitQueue.Memory;
using BlitQueue.Sharing;

namespace BlitQueue;

/// <summary>
/// An array in memory that several processes share, read and written as fast as an array of this process: an element is memory
/// and nothing else.
/// </summary>
/// <typeparam name="T">A type without references and pointers. All processes use the same: name, size, and fields.</typeparam>
/// <remarks>
/// An element of a basic type of up to 8 bytes is read and written whole. A larger element, or several that belong together, may be read
/// while another thread has written only a part: take the lock (<see cref="SharedLockable.AcquireRead(CancellationToken)"/>,
/// <see cref="SharedLockable.AcquireWrite(CancellationToken)"/>), or use a <see cref="SharedValue{T}"/>. Elements are references, so that
/// the atomic operations of <c>System.Threading</c> work on them, across processes too.
/// <para>
/// After <see cref="SharedObject.Dispose"/> there are no elements. Spans, references and memory that were taken before lead to zeros of
/// this process alone then: using them is a mistake, but never ends the process, and never reaches another file. The addresses of the
/// mapping are not used again until the process ends; they take no memory.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using var prices = SharedArray&lt;double&gt;.Open("prices", 1000);
/// prices[17] = 101.5;
/// </code>
/// </example>
public sealed class SharedArray<[DynamicallyAccessedMembers(ElementLayout.Fields)] T> : SharedLockable, IReadOnlyList<T>
    where T : unmanaged
{
    private static string? Layout;

    private MappedElements<T> _elements;

    private SharedArray(SharedFile file) : base(file, givesReferences: true)
        => _elements = file.Region.Elements<T>(SharedFormat.DataOffset, file.Shape.Length!.Value);

    /// <summary>Joins the array with this name, or makes it, filled with zeros.</summary>
    /// <param name="name">1 to 100 letters, digits, <c>-</c>, <c>_</c> and <c>.</c>, not beginning with a dot.</param>
    /// <param name="length">How many elements, 0 or more.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <exception cref="ArgumentException">
    /// It cannot be a name, the array has another length, or the type contains a pointer.
    /// </exception>
    /// <exception cref="SchemaMismatchException">The name is another kind of object's, or the elements have another type.</exception>
    /// <exception cref="QueueFullException">There is no memory for it.</exception>
    /// <exception cref="QueueException">The system refuses.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    public static SharedArray<T> Open(string name, int length, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.PathOf(name), Shape(length), cancellationToken: cancellationToken));

    /// <summary>Joins the array with this name, of whatever length.</summary>
    /// <param name="name">As above.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <exception cref="QueueException">There is none (<see cref="QueueError.NotFound"/>), or the system refuses.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    /// <inheritdoc cref="Open(string, int, CancellationToken)" path="/exception[position()&lt;4]"/>
    public static SharedArray<T> Open(string name, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.PathOf(name), Shape(null), cancellationToken: cancellationToken));

    /// <summary>Joins the array in this file, or makes it, filled with zeros.</summary>
    /// <param name="path">The file. Its directory exists.</param>
    /// <param name="length">How many elements, 0 or more.</param>
    /// <param name="fileMode">The rights of a new file, on Unix: read and write for each who may use it. null: the user's alone.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <inheritdoc cref="Open(string, int, CancellationToken)" path="/exception"/>
    public static SharedArray<T> OpenFile(
        string path, int length, UnixFileMode? fileMode = null, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.FileAt(path), Shape(length), fileMode, cancellationToken));

    /// <summary>Joins the array in this file, of whatever length.</summary>
    /// <param name="path">The file.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <inheritdoc cref="Open(string, CancellationToken)" path="/exception"/>
    public static SharedArray<T> OpenFile(string path, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.FileAt(path), Shape(null), cancellationToken: cancellationToken));

    private static SharedShape Shape(int? length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length ?? 0, nameof(length));
        return new SharedShape(SharedKind.Array, Layout ??= ElementLayout.Of<T>(), Blit.SizeOf<T>(), length);
    }

    /// <summary>How many elements there are; 0 after <see cref="SharedObject.Dispose"/>.</summary>
    public int Length => _elements.Length;

    /// <summary>One element, to read and to write.</summary>
    /// <param name="index">From 0 on.</param>
    /// <exception cref="IndexOutOfRangeException">There is no such element.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public ref T this[int index]
    {
        // The address is read before the comparison: only then does the compiler keep both in registers, in a loop that only reads.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            ref T first = ref _elements.First;
            if (!_elements.Has(index))
            {
                ThrowNoElement(index);
            }
            return ref MappedElements<T>.At(ref first, index);
        }
    }

    /// <summary>All elements. See the type's remarks for spans that are used after <see cref="SharedObject.Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public Span<T> Span => Gate.IsClosed ? throw Gate.Disposed() : _elements.Span;

    /// <summary>All elements, for calls that are awaited. Its span throws after <see cref="SharedObject.Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public Memory<T> AsMemory() => new SpanMemory<T>(Span.Length, () => Span).Memory;

    /// <summary>Copies elements out, without the lock.</summary>
    /// <param name="destination">As many elements as are copied.</param>
    /// <param name="start">The index of the first one.</param>
    /// <exception cref="ArgumentOutOfRangeException">There are not so many elements from there on.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public void CopyTo(Span<T> destination, int start = 0) => Span.Slice(start, destination.Length).CopyTo(destination);

    /// <summary>Copies elements in, without the lock.</summary>
    /// <param name="source">The elements.</param>
    /// <param name="start">The index of the first one that is written over.</param>
    /// <exception cref="ArgumentOutOfRangeException">There are not so many elements from there on.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public void CopyFrom(ReadOnlySpan<T> source, int start = 0) => source.CopyTo(Span.Slice(start, source.Length));

    int IReadOnlyCollection<T>.Count => Length;

    T IReadOnlyList<T>.this[int index] => this[index];

    /// <summary>Goes through the elements, without the lock. For a long array a loop over <see cref="Span"/> is faster.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public IEnumerator<T> GetEnumerator()
    {
        int length = Span.Length;
        for (int index = 0; index < length; index++)
        {
            yield return this[index];
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private protected override void End() => _elements.End();

    // The exception is made elsewhere: the JIT sees that a method of one throw never returns, and does not inline it.
    [DoesNotReturn]
    private void ThrowNoElement(int index) => throw NoElement(index);

    private Exception NoElement(int index) => Gate.IsClosed || File.Shape.Length > index && index >= 0
        ? Gate.Disposed()
        : new IndexOutOfRangeException($"There is no element {index}: the array has {Length}.");
}
