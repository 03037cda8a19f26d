using BlitQueue.Explorer;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue.Tests.Interleaving;

/// <summary>
/// Two threads of one handle share its appender: the one with the bias is stopped in front of each of its writes, the other in front of
/// each of its own, and both go on. The explorer knows only appenders of one thread.
/// </summary>
public sealed class BiasRaceTests
{
    private const int MostWrites = 40, Alone = 600;

    [Fact]
    public void Another_thread_of_the_handle_appends_while_the_one_with_the_bias_does() => Each(static (first, second) =>
    {
        using var bench = new QueueBench(2);
        using Appender<HaltingMemory> appender = AppenderOf(bench, 0), others = AppenderOf(bench, 1);
        int appended = 0;
        var biased = HaltedThread.Begin(() => AppendAlone(bench, appender), first, () => Append(bench, appender, ref appended));
        var other = HaltedThread.Begin(second, () => Append(bench, appender, ref appended));
        // A third one meanwhile, of another process.
        Append(bench, others, ref appended);
        biased.Finish();
        other.Finish();
        AssertWhole(bench, others, appended);
        return (biased.WasHalted, other.WasHalted);
    });

    [Fact]
    public void Another_process_appends_while_the_thread_with_the_bias_does() => Each(static (first, second) =>
    {
        using var bench = new QueueBench(2);
        using Appender<HaltingMemory> appender = AppenderOf(bench, 0), others = AppenderOf(bench, 1);
        int appended = 0;
        var biased = HaltedThread.Begin(() => AppendAlone(bench, appender), first, () => Append(bench, appender, ref appended));
        var other = HaltedThread.Begin(second, () => Append(bench, others, ref appended));
        Append(bench, appender, ref appended);
        other.Finish();
        biased.Finish();
        AssertWhole(bench, others, appended);
        return (biased.WasHalted, other.WasHalted);
    });

    // The holder has the lock by the word, and one bit makes that the word of a bias that it had.
    [Fact]
    public void A_word_that_is_damaged_into_that_of_an_ended_bias_lets_no_other_in()
    {
        using var bench = new QueueBench(2);
        using Appender<HaltingMemory> appender = AppenderOf(bench, 0), others = AppenderOf(bench, 1);
        AppendAlone(bench, appender);
        long biased = bench.Control.LockOwner;
        int appended = 0;
        Append(bench, others, ref appended);
        using (bench.Gate.Enter())
        {
            Assert.True(appender.TryOpen(WaitLimit.None, out Span<byte> room));
            bench.Control.LockOwner |= biased;
            Append(bench, others, ref appended);
            Assert.Equal(1, appended);
            MessageText.Write(room, 1);
            appender.Publish(MessageText.Length);
            appended++;
        }
        AssertWhole(bench, others, appended);
    }

    private static void Each(Func<int, int, (bool First, bool Second)> trial)
    {
        for (int first = 1, trials = 0; ; first++)
        {
            bool firstHalted = false;
            for (int second = 1; second < MostWrites; second++, trials++)
            {
                (firstHalted, bool secondHalted) = trial(first, second);
                if (!secondHalted)
                {
                    break;
                }
            }
            if (!firstHalted)
            {
                Assert.InRange(trials, 10, MostWrites * MostWrites);
                return;
            }
        }
    }

    private static Appender<HaltingMemory> AppenderOf(QueueBench bench, int process) => new(
        bench.Control, bench.Participants[process], bench.Table, bench.Allocator, bench.Meta,
        new AppendLockWait<HaltingMemory>(bench.Control, bench.Participants[process], bench.Files), bench.Transactions);

    private static void AppendAlone(QueueBench bench, Appender<HaltingMemory> appender)
    {
        int appended = 0;
        for (int number = 0; number < Alone; number++)
        {
            Append(bench, appender, ref appended);
        }
        Assert.Equal(Alone, appended);
        Assert.Equal(MachineMemory.SleepersPay, LockWord.IsBiased(bench.Control.LockOwner));
    }

    // Unless another is inside, and stopped there.
    private static void Append(QueueBench bench, Appender<HaltingMemory> appender, ref int appended)
    {
        using CallGate.Call call = bench.Gate.Enter();
        if (appender.TryOpen(WaitLimit.None, out Span<byte> room))
        {
            MessageText.Write(room, 1);
            appender.Publish(MessageText.Length);
            Interlocked.Increment(ref appended);
        }
    }

    private static void AssertWhole(QueueBench bench, Appender<HaltingMemory> appender, int appended)
    {
        Assert.Equal(0, bench.Control.AppendHolder<MachineMemory>());
        int before = appended;
        Append(bench, appender, ref appended);
        Assert.Equal(before + 1, appended);
        int records = 0;
        foreach ((_, long header, _) in bench.Records())
        {
            records += header != 0 ? 1 : 0;
        }
        Assert.Equal(Alone + appended, records);
    }
}
