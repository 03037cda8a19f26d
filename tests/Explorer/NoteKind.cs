namespace BlitQueue.Explorer;

/// <summary>What a process tells the scenario; the value is a message's number, or a set of them as bits.</summary>
internal enum NoteKind
{
    /// <summary>It begins to append these messages, all or none.</summary>
    Begun,

    /// <summary>The append of these messages has returned.</summary>
    Acknowledged,

    /// <summary>The append of these messages was refused, and nothing enqueued.</summary>
    Refused,

    /// <summary>It has consumed this message.</summary>
    Consumed,

    /// <summary>It was given this message, and has not consumed it.</summary>
    Delivered,

    /// <summary>It gave this message back.</summary>
    Returned,

    /// <summary>It was given this message (low 4 bits), as such a delivery (the bits above); it may lose it to a time-out.</summary>
    Taken,

    /// <summary>It could not end the lease of this message, because others have it.</summary>
    Lost,

    /// <summary>It is about to consume this message.</summary>
    Ending,

    /// <summary>Something is not as it must be; the value is the number of the text.</summary>
    Fault,
}
