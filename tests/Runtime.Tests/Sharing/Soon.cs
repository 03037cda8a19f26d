namespace BlitQueue.Tests.Processes;

/// <summary>Waits for what other threads do, as long as only a hang takes.</summary>
internal static class Soon
{
    public static T Of<T>(Task<T> task) => task.WaitAsync(Peer.Patience).GetAwaiter().GetResult();

    public static void Of(params Task[] tasks) => Task.WhenAll(tasks).WaitAsync(Peer.Patience).GetAwaiter().GetResult();
}
