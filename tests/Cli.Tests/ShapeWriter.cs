namespace BlitQueue.Tool;

/// <summary>Enqueues messages of a type that is known only when the test runs.</summary>
internal abstract class ShapeWriter
{
    public static ShapeWriter Of(Type type) => (ShapeWriter)Activator.CreateInstance(typeof(ShapeWriter<>).MakeGenericType(type))!;

    /// <summary>Makes a queue and enqueues messages, every other one with properties.</summary>
    public abstract void Write(string path, IReadOnlyList<object> messages);

    /// <summary>Reads a queue: each message packed anew, in order, and its properties as text. It consumes them.</summary>
    public abstract List<string> Read(string path);
}

/// <inheritdoc/>
internal sealed class ShapeWriter<T> : ShapeWriter
    where T : IPackable<T>
{
    public override void Write(string path, IReadOnlyList<object> messages)
    {
        var options = new QueueOptions { SegmentSize = 1 << 16, Stamps = MessageStamps.Time };
        using var queue = MappedQueue<T>.Open(path, options);
        var properties = new MessageProperties { Label = "", CorrelationId = "c", Headers = { ["\u20ac"] = "\U0001F680" } };
        for (int i = 0; i < messages.Count; i++)
        {
            if (i % 2 == 0)
            {
                queue.Enqueue((T)messages[i]);
            }
            else
            {
                queue.Enqueue((T)messages[i], properties);
            }
        }
    }

    public override List<string> Read(string path)
    {
        using var queue = MappedQueue<T>.Open(path);
        List<string> lines = [];
        var properties = new MessageProperties();
        for (T? message = default; queue.TryDequeue(ref message, properties); message = default)
        {
            string headers = string.Join(',', properties.Headers.Select(static one => $"{one.Key}={one.Value}"));
            lines.Add($"{Convert.ToHexString(Packer.Pack(message))} {properties.EnqueuedAt:O} {properties.Label is null} "
                + $"{properties.CorrelationId} {headers}");
        }

        return lines;
    }
}
