using BlitQueue.Log;
using BlitQueue.Peer;
using BlitQueue.Sharing;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// A process of the same user writes over the words of a shared object while others use it: each call ends, by what it is for or by an
/// exception, and no process dies of it. That a living process has the lock, or reads, is believed: so each wait has a time.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class SharedHostileTests : IDisposable
{
    private const int Rounds = 3000, Users = 2;

    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(5);

    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_value_is_read_and_written_or_refused_in_time(int seed)
    {
        using var value = SharedValue<SharedBlock>.OpenFile(File);
        using var other = SharedValue<SharedBlock>.OpenFile(File);
        using (Peer peer = Peer.Start(_site, "shared-write").WaitFor("wrote"))
        {
            Attack(
                seed,
                () => value.Read(),
                () => value.Write(SharedBlock.Of(1), Short),
                () => other.Write(SharedBlock.Of(2), Short),
                () => other.WaitForChange(value.Version, Short),
                () => _ = value.WriterProcessId);
            peer.Finish();
        }
        value.Write(SharedBlock.Of(7), Peer.Patience);
        Assert.Equal((7, true), (other.Read().Number, other.Read().IsWhole()));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_reader_writer_lock_is_taken_or_refused_in_time(int seed)
    {
        using var array = SharedArray<long>.OpenFile(File, 8);
        using var other = SharedArray<long>.OpenFile(File);
        Attack(
            seed,
            () => array.AcquireRead(Short).Dispose(),
            () => array.AcquireWrite(Short).Dispose(),
            () => other.AcquireRead(Short).Dispose(),
            () => other.AcquireWrite(Short).Dispose(),
            () => Leave(array.TryAcquireRead(out SharedLockScope scope), scope),
            () => Leave(array.TryAcquireWrite(out SharedLockScope scope), scope),
            () => _ = array.WriterProcessId);
        array.AcquireWrite(Peer.Patience).Dispose();
        other.AcquireRead(Peer.Patience).Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_mutex_is_taken_or_refused_in_time(int seed)
    {
        using var mutex = SharedMutex.OpenFile(File);
        using var other = SharedMutex.OpenFile(File);
        Attack(
            seed,
            () => mutex.Acquire(Short).Dispose(),
            () => other.Acquire(Short).Dispose(),
            () => Leave(mutex.TryAcquire(out SharedLockScope scope), scope),
            () => _ = mutex.HolderProcessId);
        mutex.Acquire(Peer.Patience).Dispose();
        other.Acquire(Peer.Patience).Dispose();
    }

    private static void Leave(bool isTaken, SharedLockScope scope)
    {
        if (isTaken)
        {
            scope.Dispose();
        }
    }

    // Threads use the object until all was written over often enough. In the end no living process is named any more.
    private void Attack(int seed, params Action[] uses)
    {
        using SafeFileHandle file = System.IO.File.OpenHandle(
            File, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        using var isOver = new CancellationTokenSource();
        int done = 0;
        // The first of who has it open, and lives all the time.
        long incarnation = Read(file, EntryOf(0));
        long living = ControlFormat.OwnerWord(0, (uint)incarnation);
        Task[] users =
        [
            .. Enumerable.Range(0, Users).Select(user => Task.Factory.StartNew(
                () => Interlocked.Add(ref done, Use(uses, new Random((10 * seed) + user), isOver.Token)), TaskCreationOptions.LongRunning)),
        ];
        var random = new Random(seed);
        for (int round = 0; round < Rounds; round++)
        {
            Scribble(file, random, living);
            if (round % 50 == 0)
            {
                Thread.Sleep(1);
            }
        }
        // From now on it has the lock for ever: waits end by their time.
        Write(file, EntryOf(0), incarnation);
        Write(file, ControlFormat.LockOwnerOffset, living);
        Thread.Sleep(4 * Short);
        isOver.Cancel();
        Soon.Of(users);
        Assert.InRange(done, 1, int.MaxValue);
        Write(file, ControlFormat.LockOwnerOffset, 0);
        for (int index = 0; index < ControlFormat.MaximumParticipants; index++)
        {
            Write(file, EntryOf(index) + ControlFormat.ReadersOffset, 0);
        }
    }

    private static int Use(Action[] uses, Random random, CancellationToken isOver)
    {
        int done = 0;
        while (!isOver.IsCancellationRequested)
        {
            try
            {
                uses[random.Next(uses.Length)]();
                done++;
            }
            catch (SharedLockTimeoutException)
            {
            }
        }
        return done;
    }

    // The lock, those who sleep, the version, and the entries of the first who have it open.
    private static void Scribble(SafeFileHandle file, Random random, long living)
    {
        long offset = random.Next(3) switch
        {
            0 => random.Next(SharedFormat.HeaderSize / sizeof(long), ControlFormat.ParticipantsOffset / sizeof(long)) * sizeof(long),
            1 => ControlFormat.LockOwnerOffset,
            _ => EntryOf(0) + (random.Next(4 * ControlFormat.ParticipantSize / sizeof(long)) * sizeof(long)),
        };
        Write(file, offset, random.Next(6) switch
        {
            0 => 0,
            1 => random.NextInt64(),
            2 => -random.Next(5000),
            3 => random.Next(5000),
            4 => living,
            _ => 1L << random.Next(64),
        });
    }

    private static long EntryOf(int participant) => ControlFormat.ParticipantsOffset + (participant * ControlFormat.ParticipantSize);

    private static long Read(SafeFileHandle file, long offset)
    {
        byte[] word = new byte[sizeof(long)];
        RandomAccess.Read(file, word, offset);
        return BitConverter.ToInt64(word);
    }

    private static void Write(SafeFileHandle file, long offset, long word) =>
        RandomAccess.Write(file, BitConverter.GetBytes(word), offset);

    public void Dispose() => _site.Dispose();
}
