namespace BlitQueue.Hosting.Peer;

/// <summary>Writes down what it has begun and ended.</summary>
internal sealed class JobHandler(Work work) : IQueueHandler<Job>
{
    private static readonly Lock Writing = new();

    public async ValueTask HandleAsync(Job message, MessageContext context, CancellationToken cancellationToken)
    {
        Write($"begin {message.Id}");
        await Task.Delay(work.Milliseconds, work.IsDeaf ? CancellationToken.None : cancellationToken);
        Write($"end {message.Id}");
    }

    private void Write(string line)
    {
        lock (Writing)
        {
            File.AppendAllText(work.LogPath, line + "\n");
        }
    }
}
