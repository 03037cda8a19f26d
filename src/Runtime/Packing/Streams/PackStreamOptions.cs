namespace BlitQueue;

/// <summary>What <see cref="PackStream"/> accepts. Everything has a default.</summary>
/// <example>
/// <code>
/// var small = new PackStreamOptions { MaxMessageSize = 64 &lt;&lt; 10 };
/// await foreach (Order? order in PackStream.ReadAllAsync&lt;Order&gt;(connection, small)) Handle(order!);
/// </code>
/// </example>
public sealed record PackStreamOptions
{
    private int _maxMessageSize = 64 << 20;

    /// <summary>
    /// The longest message, packed, in bytes; 1 to 1 GiB. Default: 64 MiB. Writing a longer message throws, and so does reading one, before
    /// its bytes are read.
    /// </summary>
    public int MaxMessageSize
    {
        get => _maxMessageSize;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 1 << 30);
            _maxMessageSize = value;
        }
    }

    /// <summary>
    /// Whether a sequence may also end where the stream ends between two messages, as in a file to which messages are appended one by one.
    /// Default: no, because a sequence that was cut off there looks the same.
    /// </summary>
    public bool MayEndWithoutMark { get; set; }

    internal static PackStreamOptions Default { get; } = new();
}
