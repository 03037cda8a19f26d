namespace BlitQueue.Log;

/// <summary>What stands in the log behind a zero header, complete but for being published.</summary>
/// <param name="Position">Where its first record is.</param>
/// <param name="First">Where its first message is: behind the record that announces a batch.</param>
/// <param name="Header">That record's header: storing it publishes all.</param>
/// <param name="End">The position behind it.</param>
/// <param name="Begun">The segments behind the appender's that it goes on in, pinned.</param>
internal readonly record struct PendingAppend(long Position, long First, long Header, long End, Segment[] Begun);
