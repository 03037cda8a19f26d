using BlitQueue.Log;
using BlitQueue.Platform;

namespace BlitQueue;

public static partial class MappedQueue
{
    /// <summary>
    /// Makes a consistent copy of a queue, a store or lanes that are in use, dead letters included: a directory that can be opened where it
    /// stands, or moved elsewhere first.
    /// </summary>
    /// <param name="path">The directory of a queue, a store or lanes.</param>
    /// <param name="target">The copy's directory, which must not be there yet; its parent must. On a local file system.</param>
    /// <param name="progress">Told after each file; the bytes count twice, as the copy is read again. null if it is not wanted.</param>
    /// <param name="cancellationToken">
    /// Ends it after the megabyte that is being copied, or the segment that is being read; nothing stays behind.
    /// </param>
    /// <returns>What was copied, and that all of the copy was read again.</returns>
    /// <remarks>
    /// <para>
    /// What was enqueued before the call is in the copy. Of what is enqueued meanwhile, the copy has the messages up to some point, or
    /// none. Each subscription is where it was during the call: what it had consumed before does not come again, and what is leased comes
    /// again; subscriptions that are removed with their last consumer are left out. In the copy of a store each transaction is in all
    /// queues or in none.
    /// </para>
    /// <para>
    /// Producers and consumers go on. Meanwhile no segment is given up, so the queue grows by what is enqueued; and for some milliseconds
    /// no transaction of the store is committed. Until everything is copied, read again and on the disk, the copy has the name of the
    /// target with <c>.unfinished</c> behind it. The next backup to the same target deletes what a killed backup left there.
    /// </para>
    /// </remarks>
    /// <exception cref="QueueException">
    /// There is no queue, the target is there, another backup to it is at work, or there are no rights.
    /// </exception>
    /// <exception cref="QueueFullException">The target's disk has no room for it.</exception>
    /// <exception cref="QueueCorruptException">The queue is so damaged that it cannot be opened.</exception>
    /// <exception cref="QueueStalledException">A process that does not run is in the middle of a transaction.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static BackupReport Backup(
        string path, string target, IProgress<QueueProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        var kind = DirectoryKind.Of(path, "back up");
        QueuesBelow.RequireNone(kind.Lost);
        try
        {
            using var unfinished = BackupTarget.Begin(kind, target);
            return Backup(kind, unfinished, progress, cancellationToken);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw new QueueException(
                $"{kind.Path} cannot be copied to {target}: this user has no right to ({exception.Message}). Nothing that looks finished "
                    + "stays behind.", exception)
            { Reason = QueueError.AccessDenied, Path = kind.Path };
        }
        catch (IOException exception) when (DiskFullException.Is(exception))
        {
            throw new QueueFullException(
                $"{target}: the disk has no room for a copy of {kind.Path}. Nothing stays behind. Free disk space, or choose another "
                    + "target.", exception)
            { Path = target };
        }
        catch (IOException exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new QueueException(
                $"{kind.Path} cannot be copied to {target}: something was deleted meanwhile. {exception.Message} Nothing that looks "
                    + "finished stays behind.", exception)
            { Reason = QueueError.NotFound, Path = kind.Path };
        }
        catch (IOException exception)
        {
            throw new QueueException(
                $"{kind.Path} cannot be copied to {target}: {exception.Message} Nothing that looks finished stays behind.", exception)
            { Reason = QueueError.SystemRefused, Path = kind.Path };
        }
    }

    private static BackupReport Backup(
        DirectoryKind kind, BackupTarget target, IProgress<QueueProgress>? progress, CancellationToken cancellationToken)
    {
        using var run = new BackupRun(kind, target.Unfinished, new(Patience, cancellationToken));
        run.Note();
        var copied = new VerifyTally(progress, cancellationToken) { Total = 2 * run.Bytes };
        run.Copy(copied);
        run.Recover();
        VerifyReport verified = Verify(
            target.Unfinished, progress is null ? null : new LaterProgress(progress, copied.Bytes), cancellationToken);
        if (verified.Findings.FirstOrDefault(static finding => finding.What != LogVerifier.HoleFound) is { } wrong)
        {
            throw new QueueException(
                $"{wrong.File} at offset {wrong.Offset}: the copy does not read as it was written ({wrong.What}). Nothing stays behind. "
                    + "Look after the target's disk.")
            { Reason = QueueError.Corrupt, Path = wrong.File };
        }
        target.Finish();
        return new BackupReport
        {
            Path = kind.Path,
            Target = target.Path,
            Damaged = Renamed(run.Damaged, target),
            Verified = verified with
            {
                Path = target.Path,
                Findings = Renamed(verified.Findings, target),
                Subscriptions = [.. verified.Subscriptions.Select(
                    one => one with { Queue = target.Path + one.Queue[target.Unfinished.Length..] })],
            },
        };
    }

    // With the names that the files have from now on.
    private static RecoveryFinding[] Renamed(IEnumerable<RecoveryFinding> findings, BackupTarget target) =>
        [.. findings.Select(finding => finding with { File = target.Path + finding.File[target.Unfinished.Length..] })];

    private sealed class LaterProgress(IProgress<QueueProgress> progress, long before) : IProgress<QueueProgress>
    {
        public void Report(QueueProgress value)
            => progress.Report(value with { Bytes = before + value.Bytes, Total = before + value.Total });
    }
}
