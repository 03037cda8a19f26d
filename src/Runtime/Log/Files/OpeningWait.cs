using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Waits for the opening lock, in the kernel and in order of arrival: as long as the processes before it make progress, and the patience
/// longer. The kernel's wait has no time limit, so a thread of its own waits.
/// </summary>
/// <remarks>
/// A caller that gives up leaves its wait behind, and the next caller of the same file goes on with it. So a process has no more of these
/// threads and files than callers that waited at the same time, however often they give up while another process stands still.
/// </remarks>
internal sealed class OpeningWait
{
    private const int StackSize = 128 << 10;
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(50);

    // A process that waits for a processor or its disk may make no progress for so long on a healthy machine: hundreds may start at once.
    // And so long is waited for one of which the system does not tell whether it runs.
    private static readonly TimeSpan LongestStarved = TimeSpan.FromSeconds(60);

    // Guards the list, and decides whether a caller or the waiting thread closes the file of a wait that was left.
    private static readonly Lock Sync = new();
    private static readonly List<OpeningWait> Left = [];

    private readonly string _path;
    private readonly SafeFileHandle _file;
    private readonly ManualResetEventSlim _over = new(false, spinCount: 0);
    private Exception? _failure;

    private OpeningWait(string path, SafeFileHandle file)
    {
        (_path, _file) = (path, file);
        new Thread(Run, StackSize) { IsBackground = true, Name = "BlitQueue open" }.UnsafeStart();
    }

    /// <summary>Takes the opening lock of a lock file.</summary>
    /// <param name="open">Opens the lock file, or makes it.</param>
    /// <param name="name">The file's, in the directory.</param>
    /// <param name="started">When the caller began to wait, as <see cref="Stopwatch"/> counts.</param>
    /// <param name="patience">How long a process before this one may make no progress, and what ends the wait.</param>
    /// <param name="path">Of the directory that it is about.</param>
    /// <param name="what">What another process has been doing, for a message to people.</param>
    /// <returns>The lock file, which the caller closes. It may have lost its name meanwhile.</returns>
    /// <exception cref="QueueException">The process before this one has made no progress for the whole patience.</exception>
    /// <exception cref="QueueStalledException">The same, and that process does not run.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static SafeFileHandle Take(
        Func<SafeFileHandle> open, string name, long started, in Patience patience, string path, string what)
    {
        SafeFileHandle file = open();
        OpeningWait? wait = null;
        bool isTaken = false;
        try
        {
            if (!CurrentPlatform.Instance.TryLockByte(file, StoreFormat.OpeningLockByte))
            {
                wait = GoOn(file, Path.Combine(path, name));
                file = wait._file;
                wait.Await(name, started, patience, path, what);
            }
            isTaken = true;
            return file;
        }
        finally
        {
            if (!isTaken && wait?.TryLeave() != true)
            {
                file.Dispose();
            }
        }
    }

    // With a wait for the same file that was left, or else with a new one.
    private static OpeningWait GoOn(SafeFileHandle file, string path)
    {
        while (TakeLeft(path) is { } left)
        {
            if (CurrentPlatform.Instance.LeadsTo(path, left._file) != false)
            {
                file.Dispose();
                return left;
            }
            // Of a lock file that was deleted or replaced.
            left._file.Dispose();
        }
        return new OpeningWait(path, file);
    }

    private static OpeningWait? TakeLeft(string path)
    {
        lock (Sync)
        {
            OpeningWait? left = Left.Find(wait => wait._path == path);
            if (left is not null)
            {
                Left.Remove(left);
            }
            return left;
        }
    }

    // false if the kernel's wait is over: then the caller closes the file, which releases the lock.
    private bool TryLeave()
    {
        lock (Sync)
        {
            if (_over.IsSet)
            {
                return false;
            }
            Left.Add(this);
            return true;
        }
    }

    private void Await(string name, long started, in Patience patience, string path, string what)
    {
        OpeningLook seen = default;
        for (long since = started; !IsOver(patience, path, what);)
        {
            OpeningLook look = OpeningProgress.Look(_file);
            TimeSpan stood = Stopwatch.GetElapsedTime(since);
            if (look != seen)
            {
                (seen, since) = (look, seen == default ? since : Stopwatch.GetTimestamp());
            }
            else if (stood > patience.Limit)
            {
                bool isStopped = seen.Process != 0 && !Participant.MayRun(seen.Process);
                if (isStopped || seen.Process == 0 || stood > LongestStarved)
                {
                    throw Refusal(
                        path, seen, isStopped,
                        $"{path}: {what}{seen.Holder} and has not got on for {stood.TotalSeconds:0.#} s: it holds byte "
                            + $"{StoreFormat.OpeningLockByte} of {name}.");
                }
            }
        }
        if (_failure is { } failure)
        {
            throw failure;
        }
    }

    // After a moment, or sooner if it is.
    private bool IsOver(in Patience patience, string path, string what)
    {
        try
        {
            return _over.Wait(BetweenLooks < patience.Limit ? BetweenLooks : patience.Limit, patience.Token);
        }
        catch (OperationCanceledException)
        {
            throw patience.Cancelled(path, what);
        }
    }

    private static QueueException Refusal(string path, OpeningLook seen, bool isStopped, string text) =>
        isStopped
            ? new QueueStalledException(
                $"{text}{seen.Sentence} It lives, but does not run: it is stopped, suspended or in a debugger; let it run, or end it.")
            { Path = path, ProcessId = seen.Process }
            : new QueueException(
                $"{text}{seen.Sentence} It recovers a long log, is stopped, or its disk hangs; try again with a longer StallTimeout, let "
                    + "it run, or end it.")
            { Reason = QueueError.Stalled, Path = path, ProcessId = seen.Process == 0 ? null : seen.Process };

    private void Run()
    {
        try
        {
            CurrentPlatform.Instance.LockByte(_file, StoreFormat.OpeningLockByte);
        }
        catch (Exception exception) when (exception is IOException or QueueException or ObjectDisposedException)
        {
            _failure = exception;
        }
        lock (Sync)
        {
            _over.Set();
            if (Left.Remove(this))
            {
                // No caller wants the lock any more; this releases it.
                _file.Dispose();
            }
        }
    }
}
