using BlitQueue.Log;
using BlitQueue.Sharing;

namespace BlitQueue.Explorer;

/// <content>What processes do to a shared value, and under a shared lock.</content>
internal static partial class Steps
{
    private static readonly WaitLimit ForEver = new(TimeSpan.MaxValue);

    /// <summary>Writes these numbers, one after the other, to the shared value.</summary>
    public static Action<Seat> WriteShared(params int[] numbers) => seat =>
    {
        OwnerLock<SimMemory> writers = seat.OwnerLock();
        ValueCells<SharedPair, SimMemory> value = seat.Value();
        foreach (int number in numbers)
        {
            writers.TryAcquire(ForEver);
            value.Write(new SharedPair(number, number));
            writers.Release(isSound: true);
        }
    };

    /// <summary>Adds one to the shared value.</summary>
    public static void UpdateShared(Seat seat)
    {
        OwnerLock<SimMemory> writers = seat.OwnerLock();
        ValueCells<SharedPair, SimMemory> value = seat.Value();
        writers.TryAcquire(ForEver);
        SharedPair now = value.Current;
        value.Write(new SharedPair(now.First + 1, now.Second + 1));
        writers.Release(isSound: true);
    }

    /// <summary>Reads the shared value so many times.</summary>
    public static Action<Seat> ReadShared(int times) => seat =>
    {
        ValueCells<SharedPair, SimMemory> value = seat.Value();
        for (long time = 0, known = 0; time < times; time++)
        {
            long version = value.Read(out SharedPair pair);
            Require(pair.First == pair.Second, "a value was read of which two writes have written parts");
            Require(version >= known, "an older version was read after a newer one");
            Require((version == 0) == (pair.First == 0), "a version was read with another's value");
            known = version;
        }
    };

    /// <summary>The shared value is this number.</summary>
    public static Action<Seat> FindShared(int number) => seat =>
    {
        OwnerLock<SimMemory> writers = seat.OwnerLock();
        writers.TryAcquire(ForEver);
        SharedPair pair = seat.Value().Current;
        writers.Release(isSound: true);
        Require(pair == new SharedPair(number, number), "an update was lost");
    };

    /// <summary>Changes two words under the lock, one after the other.</summary>
    public static void ChangeLocked(Seat seat)
    {
        OwnerLock<SimMemory> writer = seat.OwnerLock();
        using ReadWriteLock<SimMemory> both = seat.ReadWriteLock(writer);
        both.TryEnterWrite(ForEver, out _);
        RequireSound(seat, writer);
        long next = SimMemory.Read(ref seat.SharedWord(0)) + 1;
        SimMemory.Write(ref seat.SharedWord(0), next);
        SimMemory.Write(ref seat.SharedWord(1), next);
        both.ExitWrite();
    }

    /// <summary>Reads the two words under the lock.</summary>
    public static void ReadLocked(Seat seat)
    {
        OwnerLock<SimMemory> writer = seat.OwnerLock();
        using ReadWriteLock<SimMemory> both = seat.ReadWriteLock(writer);
        both.TryEnterRead(ForEver);
        RequireSound(seat, writer);
        both.ExitRead();
    }

    // Two words that do not fit together are what a dead writer left, and those who have the lock are told.
    private static void RequireSound(Seat seat, OwnerLock<SimMemory> writer)
    {
        long first = SimMemory.Read(ref seat.SharedWord(0)), second = SimMemory.Read(ref seat.SharedWord(1));
        Require(first == second || writer.Abandoned != 0, "under the lock the words do not fit together, and nothing says why");
    }
}
