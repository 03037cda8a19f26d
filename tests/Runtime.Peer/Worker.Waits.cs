namespace BlitQueue.Peer;

internal sealed partial class Worker
{
    // A hundred consumers, each with a thread of its own, that wait for messages until the input ends.
    private void WaitOnThreads()
    {
        Thread[] threads = [.. Enumerable.Range(0, Consumers).Select(_ => new Thread(WaitForOne))];
        Array.ForEach(threads, static thread => thread.Start());
        Say("waiting");
        Array.ForEach(threads, static thread => thread.Join());
    }

    private static int Consumers => 100;

    private void WaitForOne()
    {
        using Subscription<Parcel> subscription = _queue.Subscribe("default");
        try
        {
            _log.Dequeued(subscription.Dequeue(_inputEnded.Token));
        }
        catch (OperationCanceledException)
        {
        }
    }

    // The same with asynchronous calls, which need no threads.
    private async Task WaitAsync()
    {
        Subscription<Parcel>[] subscriptions = [.. Enumerable.Range(0, Consumers).Select(_ => _queue.Subscribe("default"))];
        Task[] waits = [.. subscriptions.Select(subscription => subscription.DequeueAsync(_inputEnded.Token).AsTask())];
        Say("waiting");
        try
        {
            await Task.WhenAll(waits);
        }
        catch (OperationCanceledException)
        {
        }
        Array.ForEach(subscriptions, static subscription => subscription.Dispose());
    }
}
