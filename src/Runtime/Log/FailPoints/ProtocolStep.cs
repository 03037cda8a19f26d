namespace BlitQueue.Log;

/// <summary>
/// The steps of the protocol by name, in order. docs/ARCHITECTURE.md tells what each leaves behind if its process dies right after it;
/// the test build can kill or stop a process at each.
/// </summary>
internal enum ProtocolStep
{
    /// <summary>The append lock's word holds this participant.</summary>
    AppendLockAcquired,

    /// <summary>The payload is in place behind a zero header.</summary>
    AppendPacked,

    /// <summary>The header behind the record is zero.</summary>
    AppendNextSealed,

    /// <summary>A batch's inner records are complete; its announcing header is still zero.</summary>
    AppendBatchWritten,

    /// <summary>The header is stored: readers see the record.</summary>
    AppendPublished,

    /// <summary>The tail is behind the record.</summary>
    AppendTailMoved,

    /// <summary>The append lock's word is zero again.</summary>
    AppendLockReleased,

    /// <summary>The segment's rest is published as padding; the tail is still in it.</summary>
    RollPadPublished,

    /// <summary>The tail is at the next segment's first record.</summary>
    RollTailMoved,

    /// <summary>A control file was made, anew or to replace a lost one; its words say that nothing was enqueued.</summary>
    StoreControlMade,

    /// <summary>The default subscription of a queue that is being made has its file.</summary>
    StoreSubscriptionMade,

    /// <summary>What makes the files a queue is written, under its unfinished name.</summary>
    StoreMetaWritten,

    /// <summary>The queue's description with the members of a newer message type is complete, but does not have its name yet.</summary>
    StoreSchemaWritten,

    /// <summary>The new segment's file exists under its unfinished name, empty.</summary>
    SegmentCreated,

    /// <summary>Its blocks are reserved.</summary>
    SegmentPreallocated,

    /// <summary>Its header is written and synced.</summary>
    SegmentWritten,

    /// <summary>It has its final name.</summary>
    SegmentRenamed,

    /// <summary>Appenders may use it.</summary>
    SegmentAnnounced,

    /// <summary>Segments that every subscription has passed are off the list; their files still exist.</summary>
    SegmentsRetired,

    /// <summary>A passed segment's file is deleted.</summary>
    SegmentDeleted,

    /// <summary>A passed segment's file has the unfinished name of the segment it becomes.</summary>
    SegmentUnnamed,

    /// <summary>A new subscription's file has its name; the other handles have not been told to look.</summary>
    SubscriptionMade,

    /// <summary>A subscription's file says that it is nobody's; it still has its name.</summary>
    SubscriptionMarkedGone,

    /// <summary>
    /// A subscription's file names the consumer that wants it for itself, which has not looked yet whether there are others.
    /// </summary>
    SubscriptionClaimed,

    /// <summary>A consumer has found a published record.</summary>
    DequeueFound,

    /// <summary>The message is unpacked into the caller's instance.</summary>
    DequeueUnpacked,

    /// <summary>The subscription's next position is behind the message: it is consumed.</summary>
    DequeueCommitted,

    /// <summary>A lease cell names who is about to lease a message in it.</summary>
    LeaseCellTaken,

    /// <summary>The cell says which message it is about to take.</summary>
    LeaseClaimed,

    /// <summary>The subscription's next position is behind the message: the lease stands.</summary>
    LeaseTaken,

    /// <summary>The cell no longer holds the message: it is consumed.</summary>
    LeaseCommitted,

    /// <summary>The cell says that its message was given back; the mark that leads others to it is not set.</summary>
    LeaseReturned,

    /// <summary>Who looks for what was given back has taken the mark away that led there, and has not looked yet.</summary>
    LeaseMarkCleared,

    /// <summary>The cell says that the message of a dead or overdue holder is nobody's; no mark leads there.</summary>
    LeaseForfeited,

    /// <summary>
    /// A cell whose message is to be delivered again names its new owner, who is not its holder yet: the message word has another tag.
    /// </summary>
    LeaseTakenOver,

    /// <summary>The cell says that its message is being set aside; the dead letter is not written yet.</summary>
    LeaseDeadLettering,

    /// <summary>The dead letter is written; the cell still holds the message.</summary>
    LeaseDeadLettered,

    /// <summary>The store's commit lock is this participant's.</summary>
    CommitLockAcquired,

    /// <summary>A lease cell says that its message is consumed by the transaction that is being committed.</summary>
    TransactionLeaseMarked,

    /// <summary>Of a durable transaction: what it sends, unpublished, and the marked cells are on the disk.</summary>
    TransactionPartsSynced,

    /// <summary>The slot names all that the transaction does; it does not say that it is decided.</summary>
    TransactionWritten,

    /// <summary>The slot says that the transaction is decided: it is committed.</summary>
    TransactionDecided,

    /// <summary>Of a durable transaction: the slot is on the disk, and says that it is decided.</summary>
    TransactionDecisionSynced,

    /// <summary>A lease cell of a committed transaction holds no message any more.</summary>
    TransactionLeaseEnded,

    /// <summary>Of a durable transaction: what was published and which leases ended is on the disk.</summary>
    TransactionEndSynced,

    /// <summary>Everything of the transaction is done, and its number is counted; the slot still names it.</summary>
    TransactionNumbered,

    /// <summary>The slot is free; the store's commit lock is still taken.</summary>
    TransactionReleased,

    /// <summary>The store's commit lock is free.</summary>
    CommitLockReleased,

    /// <summary>Who holds the store's commit lock has found a committed transaction of a dead participant in the slot.</summary>
    CompletionBegun,

    /// <summary>In one queue all that the transaction of the dead participant names is done.</summary>
    CompletionQueueDone,

    /// <summary>The append lock of a dead participant is this one's.</summary>
    RollForwardLockAcquired,

    /// <summary>
    /// What the dead participant's committed transaction sends to this queue is visible; the tail is still in front of it.
    /// </summary>
    RollForwardPublished,

    /// <summary>The tail is behind what the dead participant had published.</summary>
    RollForwardTailMoved,

    /// <summary>What is to be brought to the disk is known; nothing of it may be there yet.</summary>
    SyncBegun,

    /// <summary>It is on the disk; the control file does not say so yet.</summary>
    SyncWritten,

    /// <summary>The control file says up to where the log is on the disk; nobody was told.</summary>
    SyncAnnounced,

    /// <summary>The control file says that a sync has failed; appends still go on.</summary>
    FailureMarked,

    /// <summary>Who closes the queue holds the append lock, like any appender.</summary>
    FailureLockAcquired,

    /// <summary>The append lock is nobody's for good.</summary>
    FailureClosed,

    /// <summary>
    /// Where the lock file was lost: the append lock is nobody's for good, in a control file that others will soon not find any more.
    /// </summary>
    LostLockClosed,

    /// <summary>In a copy of a queue: no subscription counts as left by the living any more; the control file still does.</summary>
    CopyDistrusted,

    /// <summary>After the machine went down: the log was gone through, and nothing that counts was changed.</summary>
    RecoveryLogRead,

    /// <summary>A segment that had to change has its name: what it was stands in <c>damaged-...</c>.</summary>
    RecoverySegmentReplaced,

    /// <summary>The log's damaged end is padding, or a gap up to the last place of a segment, where it goes on with the next.</summary>
    RecoverySealed,

    /// <summary>The control file's words fit the log; it does not say yet that they do.</summary>
    RecoveryWordsSet,

    /// <summary>The store's words are those of a store in which nothing is being committed; they still belong to the boot before.</summary>
    RecoveryStoreWordsSet,

    /// <summary>A repair of damaged files is announced: nobody can open the queue until it has ended.</summary>
    RepairBegun,

    /// <summary>The segments are a log again; the control file's words and the subscriptions do not fit it yet.</summary>
    RepairLogDone,

    /// <summary>All is done; the repair is still announced.</summary>
    RepairDone,
}
