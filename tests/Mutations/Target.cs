namespace BlitQueue.Mutations;

/// <summary>A message type whose bytes are changed, and the oracle: a value or a PackException, and never much memory.</summary>
internal abstract class Target(Type type)
{
    private const long AnyoneMayAllocate = 64L << 20;
    private const long TimesThePayload = 100;

    public Type Type { get; } = type;

    /// <summary>The most that one mutation has allocated, in bytes.</summary>
    public long MostAllocated { get; private set; }

    public long Messages { get; protected set; }

    public long Faults { get; protected set; }

    /// <summary>How many lost so many bytes as they were read that these warrant the rest no longer.</summary>
    public long Overweight { get; protected set; }

    /// <summary>
    /// Each message of the assembly that can be made, but those that <see cref="Swelling"/> makes: random ones would be very large.
    /// </summary>
    public static IReadOnlyList<Target> All(System.Reflection.Assembly assembly)
        => [.. assembly.GetTypes()
            .Where(
                type => type.IsDefined(typeof(QueueMessageAttribute), inherit: false) && !type.IsGenericTypeDefinition
                    && type.Namespace != typeof(Shapes.Swelling.Swollen).Namespace)
            .OrderBy(type => type.FullName, StringComparer.Ordinal)
            .Select(Of)];

    public static Target Of(Type type) => (Target)Activator.CreateInstance(typeof(Target<>).MakeGenericType(type), type)!;

    public abstract byte[] Pack(object message);

    public abstract void Pack(System.Buffers.IBufferWriter<byte> destination, object message);

    /// <summary>Unpacks into nothing, into a used instance and through the view, and throws where the oracle is broken.</summary>
    /// <param name="bytes">Whatever they are.</param>
    /// <param name="used">A valid payload that the used instance comes from.</param>
    public abstract void Try(byte[] bytes, byte[] used);

    /// <summary>Unpacks into nothing, and packs what came out: of bytes that are large, where to compare all would take too long.</summary>
    public abstract void Bear(byte[] bytes);

    /// <summary>Whether the bytes are read as a message.</summary>
    public abstract bool Accepts(byte[] bytes);

    /// <summary>Packs, unpacks, unpacks over another and looks through the view: all must be equal.</summary>
    public abstract void RoundTrip(object message, byte[] used);

    /// <summary>Unpacks a new message.</summary>
    public abstract object UnpackNew(byte[] bytes);

    /// <summary>
    /// Packs all, unpacks all into nothing, then each over another, and only then compares them: none may have changed another.
    /// </summary>
    public abstract void ComeBack(IReadOnlyList<object> messages);

    /// <summary>Unpacks bytes that stand for a message: both must be equal.</summary>
    public abstract void Reads(byte[] bytes, object message);

    protected void Watched(byte[] bytes, Action<byte[]> action)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        action(bytes);
        Limit(bytes, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    // A look makes hundreds of objects where messages are nested: each of them is one unpacking, and has the limit of one.
    protected void WatchedLook(byte[] bytes, Action<byte[], object?, ViewWatch> look)
    {
        var watch = new ViewWatch();
        long before = GC.GetAllocatedBytesForCurrentThread();
        look(bytes, null, watch);
        Limit(bytes, GC.GetAllocatedBytesForCurrentThread() - before - watch.ForObjects);
        Limit(bytes, watch.MostForOneObject);
    }

    private void Limit(byte[] bytes, long allocated)
    {
        MostAllocated = Math.Max(MostAllocated, allocated);
        if (allocated > Math.Max(AnyoneMayAllocate, TimesThePayload * bytes.Length))
        {
            throw new InvalidOperationException($"{bytes.Length} bytes made {Type.Name} allocate {allocated}.");
        }
    }
}
