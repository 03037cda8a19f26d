namespace Quickstart;

/// <summary>What is counted on the <see cref="Scoreboard"/>. Times are <see cref="System.Diagnostics.Stopwatch"/> timestamps.</summary>
internal enum Score
{
    /// <summary>Messages that producers enqueued.</summary>
    Enqueued,

    /// <summary>Bytes of the input up to which the producer has come.</summary>
    Sent,

    /// <summary>Messages that consumers committed.</summary>
    Consumed,

    /// <summary>Bytes that consumers committed, duplicates left out.</summary>
    Rebuilt,

    /// <summary>The same, with the message that the consumer has at hand.</summary>
    Reached,

    /// <summary>Messages that came again because the consumer that had them was killed.</summary>
    Redelivered,

    /// <summary>Messages that came again because a new producer sent them again.</summary>
    Duplicates,

    /// <summary>How many bytes of the input may have passed by now; set by the launcher.</summary>
    Limit,

    ProducerStarted,
    ProducerEnded,
    ConsumerStarted,
    ConsumerEnded,

    /// <summary>Bytes allocated inside of Enqueue.</summary>
    EnqueueAllocated,

    /// <summary>Bytes allocated by the producer to read files and to make texts of lines.</summary>
    ReadAllocated,

    /// <summary>Bytes allocated inside of Receive and Commit.</summary>
    LeaseAllocated,

    /// <summary>Bytes allocated inside of ReadInto.</summary>
    UnpackAllocated,

    /// <summary>Bytes allocated by the consumer to write files.</summary>
    WriteAllocated,
}
