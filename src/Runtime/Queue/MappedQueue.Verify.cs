using BlitQueue.Log;

namespace BlitQueue;

public static partial class MappedQueue
{
    /// <summary>
    /// Reads all of a queue without changing anything: every file, every record with its check, where every subscription stands. The queue
    /// may be in use; it takes no lock, and no process notices. Damage is reported, not thrown.
    /// </summary>
    /// <param name="path">The directory of a queue, a store or lanes: then of all queues in it, dead letters included.</param>
    /// <param name="progress">Told after each file; null if it is not wanted.</param>
    /// <param name="cancellationToken">Ends it after the segment that is being read.</param>
    /// <returns>What was read and found.</returns>
    /// <remarks>
    /// It reads at the disk's speed, and takes the memory of one segment. Of a queue that is in use it reads what was enqueued before the
    /// call, and a part of what is enqueued meanwhile. After a restart of the machine the words that say where the log ends are not valid:
    /// the next opening recovers the queue, and may find less than this call.
    /// </remarks>
    /// <exception cref="QueueException">There is no queue.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static VerifyReport Verify(string path, IProgress<QueueProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        var kind = DirectoryKind.Of(path, "verify");
        var tally = new VerifyTally(progress, cancellationToken) { Total = kind.Length() };
        tally.Findings.AddRange(kind.Lost.Select(QueuesBelow.FindingOf));
        if (kind.IsStore)
        {
            var files = new QueueFiles(kind.Path, default, FileAccess.Read);
            tally.Try(files.PathOf(TransactionFormat.FileName), () => ReadTransactions(files, tally));
        }
        foreach (string queue in kind.Queues)
        {
            new QueueVerifier(queue, tally).Run(counts: !kind.Letters.Contains(queue));
        }
        return tally.Report(kind.Path);
    }

    private static QueueFiles ReadTransactions(QueueFiles files, VerifyTally tally)
    {
        using var file = TransactionFile.Open(files);
        file.Read();
        tally.Read(files.PathOf(TransactionFormat.FileName), TransactionFormat.Size);
        return files;
    }
}
