namespace BlitQueue;

/// <summary>The subscription that holds the room which a producer needs: it needs older messages than any other subscription.</summary>
/// <param name="Subscription">The subscription's name.</param>
/// <param name="Bytes">Bytes of log from the oldest message that it has not committed to the newest.</param>
/// <param name="Since">
/// When the segment with that message was begun, UTC: the message was enqueued then or later; null if that is not known.
/// </param>
/// <param name="Consumers">How many open handles, in all processes, consume from it.</param>
public sealed record RoomHolder(string Subscription, long Bytes, DateTime? Since, int Consumers)
{
    private const double Mebibyte = 1 << 20;

    /// <summary>The same as text, with advice.</summary>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"Subscription '{Subscription}' has {(Bytes < Mebibyte ? $"{Bytes} bytes" : $"{Bytes / Mebibyte:0.0} MiB")} not "
            + $"consumed{(Since is { } since ? $" since {since:yyyy-MM-dd HH:mm:ss} UTC" : "")}, and ")
        + (Consumers == 0
            ? "no process consumes it. Start a consumer, or delete it (DeleteSubscription); one made with Ephemeral or ExpiresAfter goes "
                + "by itself."
            : $"{Consumers} {(Consumers == 1 ? "handle consumes" : "handles consume")} it. Let its consumers catch up, or add some.");
}
