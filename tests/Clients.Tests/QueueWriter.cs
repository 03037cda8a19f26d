namespace BlitQueue.Clients;

/// <summary>Writes messages of a type that is known only when the test runs to a queue of theirs.</summary>
internal abstract class QueueWriter
{
    public static QueueWriter Of(Type type) => (QueueWriter)Activator.CreateInstance(typeof(QueueWriter<>).MakeGenericType(type))!;

    /// <summary>One of a type that is known.</summary>
    public static QueueWriter Of<T>(bool isSparse)
        where T : IPackable<T> => new QueueWriter<T> { IsSparse = isSparse };

    /// <summary>Whether texts leave out members with default values.</summary>
    public bool IsSparse { get; init; }

    /// <summary>Makes a queue and enqueues messages: alone, in batches, with properties.</summary>
    public abstract void Write(string path, IReadOnlyList<object> messages);

    /// <summary>Reads a queue with no more than the right to read: texts of the messages, then "end" or what reading ended with.</summary>
    public abstract IReadOnlyList<string> Read(string path);

    /// <summary>The packed bytes of a message.</summary>
    public abstract byte[] Pack(object message);

    /// <summary>The text of the message that these bytes are, then "end"; "damaged: ..." if they are none.</summary>
    public abstract IReadOnlyList<string> Unpack(byte[] packed);
}

/// <inheritdoc/>
internal sealed class QueueWriter<T> : QueueWriter
    where T : IPackable<T>
{
    private const int BatchSize = 20;

    public override void Write(string path, IReadOnlyList<object> messages)
    {
        using var queue = MappedQueue<T>.Open(path, new QueueOptions { SegmentSize = 1 << 16, UseChecksums = messages.Count % 2 == 0 });
        var properties = new MessageProperties { MessageId = "id", Headers = { ["key"] = "value" } };
        for (int i = 0; i < messages.Count;)
        {
            T[] some = [.. messages.Skip(i).Take(BatchSize).Cast<T>()];
            switch (i / BatchSize % 3)
            {
                case 0:
                    queue.EnqueueBatch(some);
                    break;
                case 1:
                    Array.ForEach(some, message => queue.Enqueue(message));
                    break;
                default:
                    Array.ForEach(some, message => queue.Enqueue(message, properties));
                    break;
            }

            i += some.Length;
        }
    }

    public override IReadOnlyList<string> Read(string path)
    {
        List<string> lines = [];
        try
        {
            using var reader = QueueReader<T>.Open(path);
            for (T? message = default; reader.TryRead(ref message); message = default)
            {
                lines.Add(CanonicalText.Of(message, typeof(T), IsSparse));
            }

            lines.Add("end");
        }
        catch (QueueCorruptException exception)
        {
            lines.Add($"damaged: {exception.Message}");
        }
        catch (QueueException exception)
        {
            lines.Add($"refused: {exception.Message}");
        }

        return lines;
    }

    public override byte[] Pack(object message) => Packer.Pack((T)message);

    public override IReadOnlyList<string> Unpack(byte[] packed)
    {
        try
        {
            T? message = default;
            Packer.Unpack(packed, ref message);
            return message is null ? ["damaged: null"] : [CanonicalText.Of(message, typeof(T), IsSparse), "end"];
        }
        catch (PackException exception)
        {
            return [$"damaged: {exception.Message}"];
        }
    }
}
