namespace BlitQueue.Peer;

/// <summary>What is shared: an object, or one side of a channel of calls.</summary>
public enum ObjectKind
{
    Array,
    Value,
    Buffer,
    Mutex,
    Lock,
    Server,
    Client,
}

/// <summary>A message that is no <see cref="Parcel"/>.</summary>
[QueueMessage]
public partial class Weight
{
    public double Grams { get; set; }
}

/// <summary>Opens and uses a shared object, whichever it is.</summary>
public static class ObjectUse
{
    public const int Length = 3000;

    public static IReadOnlyList<ObjectKind> Kinds { get; } = Enum.GetValues<ObjectKind>();

    /// <summary>Makes the object, or joins it.</summary>
    public static IDisposable Open(ObjectKind kind, string path, int length = Length) => kind switch
    {
        ObjectKind.Array => SharedArray<long>.OpenFile(path, length),
        ObjectKind.Value => SharedValue<SharedBlock>.OpenFile(path),
        ObjectKind.Buffer => SharedBuffer.OpenFile(path, length),
        ObjectKind.Mutex => SharedMutex.OpenFile(path),
        ObjectKind.Lock => SharedReaderWriterLock.OpenFile(path),
        ObjectKind.Server => RpcServer<Parcel, Parcel>.OpenFile(path),
        _ => RpcClient<Parcel, Parcel>.OpenFile(path, new RpcClientOptions { CallsInFlight = 4, Blocks = 1 }),
    };

    /// <summary>The same with another type; of a kind without a type, or with a fixed one, another kind.</summary>
    public static IDisposable OpenAsOther(ObjectKind kind, string path) => kind switch
    {
        ObjectKind.Array => SharedArray<double>.OpenFile(path, Length),
        ObjectKind.Value => SharedValue<Guid>.OpenFile(path),
        ObjectKind.Buffer => SharedArray<byte>.OpenFile(path, Length),
        ObjectKind.Mutex => SharedReaderWriterLock.OpenFile(path),
        ObjectKind.Lock => SharedMutex.OpenFile(path),
        ObjectKind.Server => RpcServer<Parcel, Weight>.OpenFile(path),
        _ => RpcClient<Weight, Parcel>.OpenFile(path),
    };

    /// <summary>Counts one use in the object; of a lock, takes it once; a client calls once if there is a server.</summary>
    public static void Use(IDisposable opened, bool hasServer = false)
    {
        switch (opened)
        {
            case SharedArray<long> array:
                using (array.AcquireWrite())
                {
                    array[0]++;
                }
                break;
            case SharedValue<SharedBlock> value:
                value.Update(static block => SharedBlock.Of(block.Number + 1));
                break;
            case SharedBuffer buffer:
                using (buffer.AcquireWrite())
                {
                    buffer.Write(0, buffer.Read<long>(0) + 1);
                }
                break;
            case SharedMutex mutex:
                mutex.Acquire().Dispose();
                break;
            case SharedReaderWriterLock both:
                both.AcquireRead().Dispose();
                both.AcquireWrite().Dispose();
                break;
            case RpcClient<Parcel, Parcel> client when hasServer:
                if (!client.Call(new Parcel().Fill(1, 7, 100)).IsIntact())
                {
                    throw new InvalidOperationException("A reply is not that of the call.");
                }
                break;
        }
    }
}
