using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace BlitQueue.RabbitMq;

/// <summary>
/// Whether messages of another version of the type can be read here, by the rules that a queue has for its versions. Each version is judged
/// once, from the description that its messages carry.
/// </summary>
internal sealed class VersionCheck<T>
    where T : IPackable<T>
{
    // A sender that makes up versions costs no memory without bound.
    private const int MostVersions = 64;

    private readonly string _ours = Envelope.TextOf(T.Schema.Fingerprint);
    private readonly Dictionary<string, string?> _judged = [];

    /// <summary>Why the message cannot be one of the local queue's; null where it can.</summary>
    public string? WhyUnreadable(Delivery delivery)
    {
        if (delivery.Fingerprint == _ours)
        {
            return null;
        }
        if (delivery.Fingerprint is { } known && _judged.TryGetValue(known, out string? reason))
        {
            return reason;
        }
        string who = $"{delivery.Properties.Type ?? "unnamed"} with the fingerprint {delivery.Fingerprint ?? "none"}, and the receiver's "
            + $"{T.Schema.Name} has {_ours}.";
        if (delivery.SchemaText is not { } text)
        {
            return $"It is of another type: {who} No description of its members came along: its forwarder sends none "
                + $"({nameof(ForwarderOptions.SendSchema)}), or it is too long.";
        }
        if (FingerprintOf(text) != delivery.Fingerprint)
        {
            return $"It is of another type: {who} The description of its members is not that of its fingerprint.";
        }
        reason = Judge(who, text);
        if (_judged.Count >= MostVersions)
        {
            _judged.Clear();
        }
        return _judged[delivery.Fingerprint!] = reason;
    }

    private static string? Judge(string who, string text) =>
        T.Schema.Obstacles(text) is { Count: > 0 } obstacles
            ? $"It is of another type: {who} The difference, here the receiver, there the sender: "
                + $"{string.Join("; ", T.Schema.Difference(text))}. What stands in the way: {string.Join("; ", obstacles)}."
            : null;

    // As MessageSchema.Fingerprint says.
    private static string FingerprintOf(string text) =>
        Envelope.TextOf(BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(Encoding.UTF8.GetBytes(text))));
}
