using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class DequeueExtensionsTests : QueueFixture
{
    [Fact]
    public void Each_message_is_an_instance_of_its_own()
    {
        using MappedQueue<Note> queue = Open();
        for (int id = 0; id < 4; id++)
        {
            queue.Enqueue(Of(id));
        }
        using Subscription<Note> subscription = queue.Subscribe("default");
        List<Note> all = [];
        while (all.Count < 2 ? queue.TryDequeue(out Note? note) : subscription.TryDequeue(out note))
        {
            all.Add(note);
        }
        Assert.Equal([0, 1, 2, 3], all.Select(note => note.Id));
    }

    [Fact]
    public void Where_there_is_none_nothing_is_given()
    {
        using MappedQueue<Note> queue = Open();
        Note? note = new();
        Assert.False(queue.TryDequeue(out note));
        Assert.Null(note);
    }
}
