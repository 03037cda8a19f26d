using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace BlitQueue.RabbitMq;

/// <summary>
/// Where a message is from: the source, the message's position in its queue, and the position of the message that the source sent before.
/// All three are one short text, AMQP's <c>app-id</c>, because each entry of a header table costs the broker and both clients more than
/// its bytes do.
/// </summary>
/// <param name="Source">The source's identity, without a line break; may contain slashes.</param>
/// <param name="Position">The message's position, 0 or more.</param>
/// <param name="Previous">That of the message before, lower than the position; -1: none.</param>
internal readonly record struct Origin(string Source, long Position, long Previous)
{
    /// <summary>What the text begins with, so that another program's <c>app-id</c> is never taken for one.</summary>
    public const string Prefix = "blitqueue/";

    /// <summary>How the text is made up, for people.</summary>
    public const string Form = Prefix + "SOURCE/POSITION/PREVIOUS";

    // A short text of AMQP has at most 255 bytes: these, the prefix, the identity of the queue and two positions have room in it.
    private const int LongestKey = 150;

    /// <summary>The message's identity where its sender gave it none.</summary>
    public string MessageId => string.Create(CultureInfo.InvariantCulture, $"{Source}/{Position}");

    /// <summary>The identity of a source: one for each epoch of its queue, and a short one for the first.</summary>
    public static string SourceOf(Guid source, long epoch) =>
        epoch == 0 ? source.ToString("N") : string.Create(CultureInfo.InvariantCulture, $"{source:N}-{epoch:x16}");

    /// <summary>The identity of a source whose messages have a routing key of their own.</summary>
    public static string SourceOf(string queue, string key) => Encoding.UTF8.GetByteCount(key) <= LongestKey
        ? $"{queue}/{key}"
        : $"{queue}/sha256-{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)))}";

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{Source}/{Position}/{Previous}");

    /// <summary>Reads an <c>app-id</c>.</summary>
    /// <returns>null where it is none of a forwarder.</returns>
    public static Origin? Parse(string? appId)
    {
        if (appId is null || !appId.StartsWith(Prefix, StringComparison.Ordinal))
        {
            return null;
        }
        ReadOnlySpan<char> text = appId.AsSpan(Prefix.Length);
        return TryCut(ref text, out long previous) && TryCut(ref text, out long position) && text.Length > 0
            && position >= 0 && previous >= -1 && previous < position
            ? new Origin(text.ToString(), position, previous)
            : null;
    }

    // The number behind the last slash.
    private static bool TryCut(ref ReadOnlySpan<char> text, out long number)
    {
        int slash = text.LastIndexOf('/');
        number = 0;
        if (slash < 0
            || !long.TryParse(text[(slash + 1)..], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number))
        {
            return false;
        }
        text = text[..slash];
        return true;
    }
}
