namespace BlitQueue.Log;

/// <summary>
/// The steps of the protocol by name, in order. docs/ARCHITECTURE.md says what each leaves behind if the process dies right after it. The
/// test build can kill or stop a process at each step.
/// </summary>
internal enum ProtocolStep
{
    /// <summary>The append lock's word names this participant.</summary>
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

    /// <summary>The append lock is biased to the thread that has released it.</summary>
    BiasGranted,

    /// <summary>The bias of the append lock is marked as revoked; its thread may still be inside.</summary>
    BiasRevoked,

    /// <summary>The segment's rest is published as padding; the tail is still in it.</summary>
    RollPadPublished,

    /// <summary>The tail is at the next segment's first record.</summary>
    RollTailMoved,

    /// <summary>A control file was made, for a new queue or to replace a lost one; its words say that nothing was enqueued.</summary>
    StoreControlMade,

    /// <summary>The default subscription of a new queue has its file.</summary>
    StoreSubscriptionMade,

    /// <summary>The file that makes the directory a queue is written, under its unfinished name.</summary>
    StoreMetaWritten,

    /// <summary>The queue's description with the members of a newer message type is complete, under its unfinished name.</summary>
    StoreSchemaWritten,

    /// <summary>A queue's directory has the name of a deleted one; on Windows, its <c>queue.meta</c> has.</summary>
    DeletionBegun,

    /// <summary>What was the <c>queue.meta</c> is deleted; on Windows, so is all but the lock file.</summary>
    DeletionMetaGone,

    /// <summary>The new segment's file exists under its unfinished name, empty.</summary>
    SegmentCreated,

    /// <summary>The new segment's blocks are reserved.</summary>
    SegmentPreallocated,

    /// <summary>The new segment's header is written and synced.</summary>
    SegmentWritten,

    /// <summary>The new segment's file has its final name.</summary>
    SegmentRenamed,

    /// <summary>Appenders may use the new segment.</summary>
    SegmentAnnounced,

    /// <summary>Segments that every subscription has passed are given up; their files still exist.</summary>
    SegmentsRetired,

    /// <summary>A passed segment's file is deleted.</summary>
    SegmentDeleted,

    /// <summary>A passed segment's file has the unfinished name of the segment that it becomes.</summary>
    SegmentUnnamed,

    /// <summary>A new subscription's file has its name; the other handles have not been told to look.</summary>
    SubscriptionMade,

    /// <summary>It is decided that a subscription without a consumer has ended; its file does not say yet that it is deleted.</summary>
    SubscriptionEnded,

    /// <summary>A subscription's file says that the subscription is deleted; it still has its name.</summary>
    SubscriptionMarkedGone,

    /// <summary>A subscription's file names its exclusive consumer, which has not checked yet whether there are others.</summary>
    SubscriptionClaimed,

    /// <summary>A consumer has found a published record.</summary>
    DequeueFound,

    /// <summary>The message is unpacked into the caller's instance.</summary>
    DequeueUnpacked,

    /// <summary>The subscription's next position is behind the message: it is consumed.</summary>
    DequeueCommitted,

    /// <summary>A lease cell names the participant that is about to lease a message in it.</summary>
    LeaseCellTaken,

    /// <summary>The cell says which message it is about to take.</summary>
    LeaseClaimed,

    /// <summary>The subscription's next position is behind the message: the lease is valid.</summary>
    LeaseTaken,

    /// <summary>The cell no longer has the message: it is consumed.</summary>
    LeaseCommitted,

    /// <summary>The cell says that its message was given back; the mark that tells other consumers is not set yet.</summary>
    LeaseReturned,

    /// <summary>The cell says that its message is being given back; the reason is not written yet.</summary>
    LeaseGivingBack,

    /// <summary>The reason is written; the cell still says that the message is being given back.</summary>
    LeaseReasonWritten,

    /// <summary>A consumer that looks for messages that were given back has cleared the mark, and has not looked yet.</summary>
    LeaseMarkCleared,

    /// <summary>
    /// The cell says that the message of a dead or overdue holder has no holder any more; no mark tells other consumers yet.
    /// </summary>
    LeaseForfeited,

    /// <summary>
    /// A cell whose message is to be delivered again names its new owner, who is not its holder yet: the message word has another tag.
    /// </summary>
    LeaseTakenOver,

    /// <summary>The cell says that its message is becoming a dead letter; the dead letter is not written yet.</summary>
    LeaseDeadLettering,

    /// <summary>The dead letter is written; the cell still has the message.</summary>
    LeaseDeadLettered,

    /// <summary>A dead letter's cell says that it becomes a message, which is written behind a zero header; nothing is decided.</summary>
    RequeueMarked,

    /// <summary>The control file says that there is such a letter; its message is the next to be published.</summary>
    RequeueNoted,

    /// <summary>The message is published, and the letter is consumed.</summary>
    RequeueLetterEnded,

    /// <summary>The control file says no longer that there may be such a letter.</summary>
    RequeueReleased,

    /// <summary>This participant holds the store's commit lock.</summary>
    CommitLockAcquired,

    /// <summary>A lease cell says that its message is consumed by the transaction that is being committed.</summary>
    TransactionLeaseMarked,

    /// <summary>For a durable transaction: the messages that it sends, unpublished, and the marked cells are on the disk.</summary>
    TransactionPartsSynced,

    /// <summary>The slot names all that the transaction does; it does not say yet that the transaction is decided.</summary>
    TransactionWritten,

    /// <summary>The slot says that the transaction is decided: it is committed.</summary>
    TransactionDecided,

    /// <summary>For a durable transaction: the slot is on the disk, and says that it is decided.</summary>
    TransactionDecisionSynced,

    /// <summary>A lease cell of a committed transaction has no message any more.</summary>
    TransactionLeaseEnded,

    /// <summary>For a durable transaction: the published headers and the ended leases are on the disk.</summary>
    TransactionEndSynced,

    /// <summary>All parts of the transaction are done, and its number is counted; the slot still names it.</summary>
    TransactionNumbered,

    /// <summary>The slot is free; the store's commit lock is still taken.</summary>
    TransactionReleased,

    /// <summary>The store's commit lock is free.</summary>
    CommitLockReleased,

    /// <summary>The holder of the store's commit lock has found a committed transaction of a dead participant in the slot.</summary>
    CompletionBegun,

    /// <summary>The dead participant's transaction is carried out in one queue.</summary>
    CompletionQueueDone,

    /// <summary>This participant has taken over the append lock of a dead one.</summary>
    RollForwardLockAcquired,

    /// <summary>
    /// The messages that the dead participant's committed transaction sends to this queue are visible; the tail is still in front of them.
    /// </summary>
    RollForwardPublished,

    /// <summary>The tail is behind what the dead participant had published.</summary>
    RollForwardTailMoved,

    /// <summary>The sync has determined what to bring to the disk; perhaps nothing of it is there yet.</summary>
    SyncBegun,

    /// <summary>All that the sync brings to the disk is there; the control file does not say so yet.</summary>
    SyncWritten,

    /// <summary>The control file says up to where the log is on the disk; waiting calls do not know it yet.</summary>
    SyncAnnounced,

    /// <summary>The control file says that a sync has failed; appends still go on.</summary>
    FailureMarked,

    /// <summary>The process that closes the queue holds the append lock, like any appender.</summary>
    FailureLockAcquired,

    /// <summary>The append lock is closed for good.</summary>
    FailureClosed,

    /// <summary>
    /// After the lock file was lost: the append lock is closed for good, in a control file that a new one is about to replace.
    /// </summary>
    LostLockClosed,

    /// <summary>
    /// In a copy of a queue: the subscriptions' words count as those of another boot; the control file's words do not yet.
    /// </summary>
    CopyDistrusted,

    /// <summary>After the machine went down: the log was read, and nothing that matters was changed.</summary>
    RecoveryLogRead,

    /// <summary>The repaired copy of a segment has the segment's name; the original file is in <c>damaged-...</c>.</summary>
    RecoverySegmentReplaced,

    /// <summary>
    /// The log's damaged end is replaced by padding, or by a gap up to the last header of a segment, so that the log goes on in the next
    /// segment.
    /// </summary>
    RecoverySealed,

    /// <summary>A recovery or repair has written the log's epochs, with a new one; their check is still the old one's.</summary>
    RecoveryEpochWritten,

    /// <summary>The control file's words fit the log; the file does not say yet that they do.</summary>
    RecoveryWordsSet,

    /// <summary>The store's words say that nothing is being committed; they still belong to the boot before.</summary>
    RecoveryStoreWordsSet,

    /// <summary>A repair of damaged files is announced: no process can open the queue until the repair has ended.</summary>
    RepairBegun,

    /// <summary>The segments are a valid log again; the control file's words and the subscriptions do not fit it yet.</summary>
    RepairLogDone,

    /// <summary>A repair's new control file is complete, with the old one's settings and epochs, and has no name yet.</summary>
    RepairControlWritten,

    /// <summary>The repair is done; it is still announced.</summary>
    RepairDone,

    /// <summary>The file of a shared object is there, empty and under its maker's unfinished name.</summary>
    SharedFileMade,

    /// <summary>That file is complete, and still has the unfinished name.</summary>
    SharedFileWritten,

    /// <summary>The shared object has its name.</summary>
    SharedFileNamed,

    /// <summary>The lock word of a shared object names this participant.</summary>
    SharedLockAcquired,

    /// <summary>A dead holder's lock is this participant's, and the file does not say yet that it was abandoned.</summary>
    SharedLockTakenOver,

    /// <summary>This participant counts as a reader; it has not looked at the lock word yet.</summary>
    SharedReaderCounted,

    /// <summary>The lock word names this participant, and all readers have left.</summary>
    SharedWriterAlone,

    /// <summary>A part of the new value is in the copy that is not current.</summary>
    SharedValueHalfWritten,

    /// <summary>The new value is complete there.</summary>
    SharedValueWritten,

    /// <summary>The new value is the current one; the lock is not released.</summary>
    SharedValuePublished,

    /// <summary>The lock of a shared object is released; sleepers were not woken.</summary>
    SharedLockReleased,

    /// <summary>The file of a client's calls is complete; the channel does not name it.</summary>
    CallFileMade,

    /// <summary>A request may be taken; no hint says so.</summary>
    CallQueued,

    /// <summary>A server has cleared the hint, and has not looked at the calls.</summary>
    CallHintCleared,

    /// <summary>A server has the call.</summary>
    CallTaken,

    /// <summary>The reply is written, and the call's word does not say so.</summary>
    CallAnswered,

    /// <summary>The call's word says that the answer is there; the client was not woken.</summary>
    CallReplied,

    /// <summary>The client has given up a call that a server has.</summary>
    CallAbandoned,
}
