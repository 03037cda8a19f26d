using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A handle is disposed while another thread is in a call on it.</summary>
public sealed class CloseTests : QueueFixture
{
    [Theory]
    [InlineData(0)]
    [InlineData(3000)]
    public async Task Disposing_during_an_append_leaves_the_log_whole(int length)
    {
        using MappedQueue<Note> other = Open();
        for (int round = 0; round < 15; round++)
        {
            MappedQueue<Note> closing = Open();
            int own = 0;
            Task<int> sender = Task.Run(() => SendForEver(closing, length));
            for (; own < 100 * (round + 1); own++)
            {
                other.Enqueue(Of(1_000_000 + own, length));
            }
            closing.Dispose();
            int sent = await sender;

            long[] all = Drain(other);
            Assert.Equal(Enumerable.Range(1_000_000, own).Select(static id => (long)id), all.Where(static id => id >= 1_000_000));
            Assert.Equal(Enumerable.Range(0, sent).Select(static id => (long)id), all.Where(static id => id < 1_000_000));
        }
    }

    // How many until the handle was disposed.
    private static int SendForEver(MappedQueue<Note> queue, int length)
    {
        for (int sent = 0; ; sent++)
        {
            try
            {
                queue.Enqueue(Of(sent, length));
            }
            catch (ObjectDisposedException)
            {
                return sent;
            }
        }
    }
}
