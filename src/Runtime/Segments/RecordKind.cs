namespace BlitQueue.Segments;

/// <summary>What a record is; 4 bits of its header. 0 is no record: nothing was published there yet.</summary>
internal enum RecordKind
{
    /// <summary>Nothing here yet.</summary>
    None = 0,

    /// <summary>One message.</summary>
    Data = 1,

    /// <summary>Fills the rest of a segment, whatever that is; its length is 0. The next record is the next segment's first.</summary>
    Pad = 2,

    /// <summary>Announces records that became visible together; its 8-byte payload is how many bytes of log they take.</summary>
    Batch = 3,

    /// <summary>A message inside a batch.</summary>
    BatchData = 9,

    /// <summary>The end of a segment inside a batch.</summary>
    BatchPad = 10,

    /// <summary>A piece of a message that goes on in the next record of the batch.</summary>
    BatchFragment = 12,
}
