using BlitQueue.Memory;
using Xunit;

namespace BlitQueue.Tests.Memory;

public sealed class CallGateTests
{
    [Fact]
    public void Closing_an_empty_gate_releases_at_once_and_once()
    {
        int released = 0;
        var gate = new CallGate(() => released++);

        gate.Close();
        gate.Close();

        Assert.Equal(1, released);
    }

    [Fact]
    public void A_call_inside_delays_the_release_until_it_leaves()
    {
        int released = 0;
        var gate = new CallGate(() => released++);
        using var inside = new ManualResetEventSlim();
        using var leave = new ManualResetEventSlim();
        var thread = new Thread(() =>
        {
            using CallGate.Call call = gate.Enter();
            inside.Set();
            leave.Wait();
        });
        thread.Start();
        inside.Wait();

        gate.Close();
        Assert.Equal(0, released);

        leave.Set();
        thread.Join();
        Assert.Equal(1, released);
    }

    [Fact]
    public void A_closed_gate_lets_nobody_in()
    {
        var gate = new CallGate(() => { });
        gate.Close();

        Assert.Throws<ObjectDisposedException>(() => gate.Enter().Dispose());
    }

    [Fact]
    public void A_call_on_a_second_gate_does_not_hide_the_call_on_the_first()
    {
        int released = 0;
        var outer = new CallGate(() => released++);
        var inner = new CallGate(() => { });
        using (CallGate.Call first = outer.Enter())
        {
            using (CallGate.Call second = inner.Enter())
            {
                outer.Close();
                Assert.Equal(0, released);
            }
            Assert.Equal(0, released);
        }

        Assert.Equal(1, released);
    }

    [Fact]
    public void A_snapshot_is_over_when_the_calls_it_saw_have_left_whatever_came_later()
    {
        var gate = new CallGate(() => { });
        using var inside = new ManualResetEventSlim();
        using var next = new ManualResetEventSlim();
        using var insideAgain = new ManualResetEventSlim();
        using var leave = new ManualResetEventSlim();
        var thread = new Thread(() =>
        {
            using (CallGate.Call first = gate.Enter())
            {
                inside.Set();
                next.Wait();
            }
            using CallGate.Call second = gate.Enter();
            insideAgain.Set();
            leave.Wait();
        });
        thread.Start();
        inside.Wait();

        CallSnapshot snapshot = gate.Others();
        Assert.False(snapshot.IsOver);

        next.Set();
        insideAgain.Wait();
        Assert.True(snapshot.IsOver);

        leave.Set();
        thread.Join();
    }

    [Fact]
    public void Many_threads_and_a_closer_never_meet_inside()
    {
        for (int round = 0; round < 200; round++)
        {
            bool alive = true;
            int touchedDead = 0;
            var gate = new CallGate(() => Volatile.Write(ref alive, false));
            Thread[] threads = [.. Enumerable.Range(0, 3).Select(_ => new Thread(() =>
            {
                try
                {
                    while (true)
                    {
                        using CallGate.Call call = gate.Enter();
                        if (!Volatile.Read(ref alive))
                        {
                            Interlocked.Increment(ref touchedDead);
                        }
                    }
                }
                catch (ObjectDisposedException)
                {
                }
            }))];
            foreach (Thread thread in threads)
            {
                thread.Start();
            }

            gate.Close();

            foreach (Thread thread in threads)
            {
                thread.Join();
            }
            Assert.Equal(0, touchedDead);
            Assert.False(alive);
        }
    }

    [Fact]
    public void A_leaf_call_inside_delays_the_release_until_it_left()
    {
        int released = 0;
        var gate = new CallGate(() => Interlocked.Increment(ref released));
        using var inside = new ManualResetEventSlim();
        using var leave = new ManualResetEventSlim();
        var thread = new Thread(() =>
        {
            Assert.False(LeafCall.Own.CanBegin);
            gate.Enter().Dispose();
            LeafCall call = LeafCall.Own;
            call.Begin(gate.Number);
            Assert.False(LeafCall.Own.CanBegin);
            inside.Set();
            leave.Wait();
            call.Leave();
        });
        thread.Start();
        inside.Wait();

        gate.Close();
        Thread.Sleep(100);
        Assert.Equal(0, Volatile.Read(ref released));

        leave.Set();
        thread.Join();
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref released) == 1, TimeSpan.FromSeconds(60)));
    }

    [Fact]
    public void Many_leaf_calls_and_a_closer_never_meet_inside()
    {
        for (int round = 0; round < 200; round++)
        {
            bool alive = true;
            int touchedDead = 0;
            var gate = new CallGate(() => Volatile.Write(ref alive, false));
            Thread[] threads = [.. Enumerable.Range(0, 3).Select(_ => new Thread(() =>
            {
                new CallGate(static () => { }).Enter().Dispose();
                for (bool isOpen = true; isOpen;)
                {
                    LeafCall call = LeafCall.Own;
                    call.Begin(gate.Number);
                    isOpen = !gate.IsMarkedClosed;
                    if (isOpen && !Volatile.Read(ref alive))
                    {
                        Interlocked.Increment(ref touchedDead);
                    }
                    call.Leave();
                }
            }))];
            foreach (Thread thread in threads)
            {
                thread.Start();
            }

            gate.Close();

            foreach (Thread thread in threads)
            {
                thread.Join();
            }
            Assert.Equal(0, touchedDead);
            Assert.True(SpinWait.SpinUntil(() => !Volatile.Read(ref alive), TimeSpan.FromSeconds(60)));
        }
    }
}
