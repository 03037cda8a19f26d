using BlitQueue.Memory;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Segments;

public sealed class TurnWaitTests : QueueFixture
{
    // As on a machine with more to do than processors: the holder lives and runs, and does not get to its end for a while.
    [Fact]
    public async Task A_holder_whose_process_runs_is_waited_for_longer_than_the_patience()
    {
        using MappedQueue<Note> queue = Open(), holder = Open();
        queue.Enqueue(Of(0));
        ref long turn = ref queue.Store.Control.Turn;
        MachineMemory.Store(ref turn, holder.Store.Self.OwnerWord);
        Task passing = Task.Run(async () =>
        {
            await Task.Delay(300);
            MachineMemory.Store(ref queue.Store.Control.Turn, 0);
        });
        Assert.True(queue.TryEnqueue(Of(1)));
        Assert.True(passing.IsCompleted || MachineMemory.Load(ref queue.Store.Control.Turn) == 0);
        await passing;
        Assert.Equal([0, 1], Drain(queue));
    }
}
