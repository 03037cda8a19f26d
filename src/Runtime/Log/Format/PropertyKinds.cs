namespace BlitQueue.Log;

/// <summary>
/// The properties that a block may contain; its mask. Those of the low half have 8 bytes each, those of the high half a length and so many
/// bytes, so that a reader can skip what it does not know.
/// </summary>
[Flags]
internal enum PropertyKinds : uint
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>When the message was enqueued, UTC ticks of 100 ns.</summary>
    EnqueuedAt = 1 << 0,

    /// <summary>When it expires, UTC ticks of 100 ns.</summary>
    ExpiresAt = 1 << 1,

    /// <summary>Who enqueued it, text.</summary>
    EnqueuedBy = 1 << 16,

    /// <summary>The name that its producer gave it, text.</summary>
    MessageId = 1 << 17,

    /// <summary>What it belongs to or answers, text.</summary>
    CorrelationId = 1 << 18,

    /// <summary>Where an answer is to go, text.</summary>
    ReplyTo = 1 << 19,

    /// <summary>What it is about, text.</summary>
    Label = 1 << 20,

    /// <summary>Pairs of texts, each a length and so many bytes: key, value, key, value.</summary>
    Headers = 1 << 21,

    /// <summary>The one subscription that is to get the message, text: it was a dead letter there. Other subscriptions skip it.</summary>
    OnlyFor = 1 << 22,

    /// <summary>The dead letter that the message was (<see cref="LetterOrigin"/>).</summary>
    Letter = 1 << 23,

    /// <summary>All that have 8 bytes.</summary>
    Fixed = 0xFFFF,

    /// <summary>All that have a length.</summary>
    Variable = 0xFFFF_0000,
}
