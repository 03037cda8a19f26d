namespace BlitQueue.Log;

/// <summary>Questions about a record's kind, for all code that goes through the log.</summary>
internal static class RecordKinds
{
    /// <summary>Whether the payload is a whole message and nothing else.</summary>
    /// <remarks>The kinds' low three bits say so, in one comparison: consumers ask for each message.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsData(this RecordKind kind) => ((int)kind & 7) == (int)RecordKind.Data;

    /// <summary>The kind of a whole message and nothing else, in a batch if the given kind is in one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static RecordKind AsData(this RecordKind kind) => (RecordKind)(((int)kind & 8) | (int)RecordKind.Data);

    /// <summary>Whether a message ends in the record: there is one such record for each message.</summary>
    public static bool EndsMessage(this RecordKind kind) => kind is RecordKind.Data or RecordKind.DataWithProperties
        or RecordKind.BatchData or RecordKind.BatchDataWithProperties or RecordKind.BatchLastFragment;

    /// <summary>Whether a message goes on in the next record.</summary>
    public static bool IsFragment(this RecordKind kind) => kind is RecordKind.BatchFragment or RecordKind.BatchFragmentWithProperties
        or RecordKind.BatchMiddleFragment;

    /// <summary>Whether the record goes on with a message that began in an earlier one.</summary>
    public static bool ContinuesMessage(this RecordKind kind) => kind is RecordKind.BatchMiddleFragment or RecordKind.BatchLastFragment;

    /// <summary>Whether a message begins in the record: there is one such record for each message.</summary>
    public static bool BeginsMessage(this RecordKind kind) => kind.CarriesMessage() && !kind.ContinuesMessage();

    /// <summary>Whether there is such a kind of record.</summary>
    public static bool IsKnown(this RecordKind kind) => kind == RecordKind.Batch || kind.IsEmpty() || kind.IsPad() || kind.CarriesMessage();

    /// <summary>Whether a message, or a piece of one, is in the record.</summary>
    public static bool CarriesMessage(this RecordKind kind) => kind.EndsMessage() || kind.IsFragment();

    /// <summary>Whether the payload begins with a block of properties.</summary>
    public static bool HasProperties(this RecordKind kind) => kind is RecordKind.DataWithProperties
        or RecordKind.BatchDataWithProperties or RecordKind.BatchFragmentWithProperties;

    /// <summary>Whether the record only counts inside a batch that was announced.</summary>
    public static bool IsInBatch(this RecordKind kind) => ((int)kind & 8) != 0;

    /// <summary>
    /// Whether the record alone says that messages were published: one that counts without a batch in front
    /// of it, or a batch that was announced.
    /// </summary>
    public static bool IsPublished(this RecordKind kind) => kind == RecordKind.Batch || (kind.CarriesMessage() && !kind.IsInBatch());

    /// <summary>Whether the record has no content: there was no record, and the header only says how far the gap or hole goes.</summary>
    public static bool IsEmpty(this RecordKind kind) => kind is RecordKind.Gap or RecordKind.Hole;

    /// <summary>Whether the next record is the next segment's first.</summary>
    public static bool IsPad(this RecordKind kind) => kind is RecordKind.Pad or RecordKind.BatchPad;

    /// <summary>The kinds of messages, and of pieces of one, inside a batch.</summary>
    public static IEnumerable<RecordKind> OfMessagesInBatch =>
        Enum.GetValues<RecordKind>().Where(static kind => kind.IsInBatch() && kind.CarriesMessage());

    /// <summary>The kind of a message's record, inside a batch or alone.</summary>
    public static RecordKind OfMessage(bool isAlone, bool hasProperties) => (isAlone, hasProperties) switch
    {
        (true, false) => RecordKind.Data,
        (true, true) => RecordKind.DataWithProperties,
        (false, false) => RecordKind.BatchData,
        _ => RecordKind.BatchDataWithProperties,
    };
}
