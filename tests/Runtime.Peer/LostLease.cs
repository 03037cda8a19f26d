namespace BlitQueue.Peer;

/// <summary>The exceptions that say that a lease has ended.</summary>
internal static class LostLease
{
    public static bool Is(Exception exception) =>
        exception.GetType().Name == "LeaseLostException" || (exception is InvalidOperationException && exception.Message.Contains("has ended", StringComparison.Ordinal));
}
