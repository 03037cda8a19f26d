namespace BlitQueue.Log;

/// <summary>Records in the log behind a zero header, complete but not published.</summary>
/// <param name="Position">The first record's position.</param>
/// <param name="First">The first message's position: in a batch, behind the announcing record.</param>
/// <param name="Header">The first record's header: storing it publishes all records.</param>
/// <param name="End">The position behind the last record.</param>
/// <param name="Begun">The further segments that the records take, pinned.</param>
/// <param name="Messages">How many messages they are.</param>
internal readonly record struct PendingAppend(long Position, long First, long Header, long End, Segment[] Begun, int Messages);
