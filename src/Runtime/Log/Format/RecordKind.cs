namespace BlitQueue.Log;

/// <summary>What a record is; 4 bits of its header. 0 is no record: nothing was published there yet.</summary>
internal enum RecordKind
{
    /// <summary>No record yet.</summary>
    None = 0,

    /// <summary>One message.</summary>
    Data = 1,

    /// <summary>Fills the rest of a segment, however long it is; its length is 0. The next record is the next segment's first.</summary>
    Pad = 2,

    /// <summary>Announces records that became visible together; its 8-byte payload is how many bytes of log they take.</summary>
    Batch = 3,

    /// <summary>
    /// A repair found no record here, or took it out of the log. Its check covers its header alone. The next record is behind it.
    /// </summary>
    Gap = 4,

    /// <summary>One message behind a block of properties (<see cref="PropertyBlock"/>).</summary>
    DataWithProperties = 5,

    /// <summary>
    /// An opening found no record here, and consumers must be told. Its check covers its header alone. The next record is behind it; holes
    /// and pads that follow each other are one hole.
    /// </summary>
    Hole = 6,

    /// <summary>A message inside a batch.</summary>
    BatchData = 9,

    /// <summary>The end of a segment inside a batch.</summary>
    BatchPad = 10,

    /// <summary>The last piece of a message that began in an earlier record of the batch.</summary>
    BatchLastFragment = 11,

    /// <summary>The first piece of a message that goes on in the next record of the batch.</summary>
    BatchFragment = 12,

    /// <summary>A message inside a batch behind a block of properties.</summary>
    BatchDataWithProperties = 13,

    /// <summary>
    /// The first piece of a message that goes on in the next record of the batch, behind the whole block of its properties.
    /// </summary>
    BatchFragmentWithProperties = 14,

    /// <summary>A piece of a message that began in an earlier record of the batch and goes on in the next.</summary>
    BatchMiddleFragment = 15,
}
