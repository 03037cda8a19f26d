using System.Globalization;

namespace BlitQueue;

/// <summary>The subscription that holds the room which a producer needs: no other one needs messages that are as old.</summary>
/// <param name="Subscription">Its name.</param>
/// <param name="Bytes">Bytes of log from the oldest message that it has not committed to the newest.</param>
/// <param name="Since">
/// When the file was begun that holds that message, UTC: it was enqueued then or later; null where that is not known.
/// </param>
/// <param name="Consumers">Open handles, of all processes, that consume from it.</param>
public sealed record RoomHolder(string Subscription, long Bytes, DateTime? Since, int Consumers)
{
    private const double Mebibyte = 1 << 20;

    /// <summary>The same for people, and what to do.</summary>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"Subscription '{Subscription}' has {Bytes / Mebibyte:0.0} MiB not "
            + $"consumed{(Since is { } since ? $" since {since:yyyy-MM-dd HH:mm:ss} UTC" : "")}, and ")
        + (Consumers == 0
            ? "no process consumes it. Start a consumer, or delete it (DeleteSubscription); one made with Ephemeral or ExpiresAfter goes "
                + "by itself."
            : $"{Consumers} {(Consumers == 1 ? "handle consumes" : "handles consume")} it. Let its consumers catch up, or add some.");
}
