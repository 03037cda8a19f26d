namespace BlitQueue.Cli.Queues;

/// <summary>Opens queues for commands that change them, like any other process, as queues of their own message type.</summary>
internal static class WritableQueue
{
    /// <summary>Opens a queue that exists. No command waits until other processes make room: calls throw instead.</summary>
    /// <param name="path">Its directory.</param>
    /// <param name="wait">How long to wait for processes that make no progress.</param>
    /// <param name="schema">Its message type.</param>
    public static MappedQueue<PackedMessage> Open(string path, TimeSpan wait, out StoredSchema schema)
    {
        using (var look = QueueLook.Open(path))
        {
            schema = StoredSchema.Parse(look.Schema);
        }
        return Open(path, schema, new QueueOptions { StallTimeout = wait, FullMode = FullMode.Fail });
    }

    /// <summary>Opens a queue of a type, or makes it.</summary>
    public static MappedQueue<PackedMessage> Open(string path, StoredSchema schema, QueueOptions options)
    {
        MessageSchema described = schema.Describe();
        if (described.Text != schema.Text)
        {
            throw new QueueException($"{path}: the stored schema is not written as this version of blitq writes it. Update blitq.")
            { Reason = QueueError.NewerFormat, Path = path };
        }
        PackedMessage.Schema = described;
        return MappedQueue<PackedMessage>.Open(path, options);
    }

    /// <summary>Refuses to go on while a process consumes from a subscription, or from any.</summary>
    /// <exception cref="QueueException">One does (<see cref="QueueError.InUse"/>), or it is not known whether one does.</exception>
    public static void RefuseConsumers(string path, string? subscription, string what)
    {
        using var look = QueueLook.Open(path);
        QueuePeer? consumer = look.GetDetails().Peers?.FirstOrDefault(
            peer => subscription is null ? peer.Consumes.Count > 0 : peer.Consumes.Contains(subscription));
        if (consumer is not null)
        {
            string from = subscription ?? consumer.Consumes[0];
            string process = consumer.ProcessId.ToString(CultureInfo.InvariantCulture);
            throw new QueueException($"{path}: process {process} consumes from '{from}'. End it before it is {what}.")
            { Reason = QueueError.InUse, Path = path, ProcessId = consumer.ProcessId };
        }
    }

    /// <exception cref="QueueException">There is no such subscription.</exception>
    public static void RequireSubscription(string path, string subscription)
    {
        using var look = QueueLook.Open(path);
        ICollection<string> there = look.Positions().Keys;
        if (!there.Contains(subscription))
        {
            string others = string.Join(", ", there.DefaultIfEmpty("none"));
            throw new QueueException($"{path} has no subscription '{subscription}'; it has {others}.")
            { Reason = QueueError.SubscriptionGone, Path = path };
        }
    }
}
