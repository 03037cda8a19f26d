namespace BlitQueue.Cli.Queues;

/// <summary>
/// A message of any type, as its packed bytes: with it the library opens every queue. A process can open queues of only one type.
/// </summary>
internal sealed class PackedMessage : IPackable<PackedMessage>
{
    private static MessageSchema? Stored;

    private readonly RawMessage _bytes = new();

    /// <summary>The type of the queues that this process opens for writing.</summary>
    public static MessageSchema Schema
    {
        get => Stored ?? throw new InvalidOperationException("The type of the queue is not known yet.");
        set => Stored = value;
    }

    /// <summary>The packed message.</summary>
    public ReadOnlySpan<byte> Bytes
    {
        get => _bytes.Bytes;
        set
        {
            _bytes.Clear();
            value.CopyTo(_bytes.GetSpan(value.Length));
            _bytes.Advance(value.Length);
        }
    }

    public static void Pack(ref PackWriter writer, scoped in PackedMessage? value)
    {
        ArgumentNullException.ThrowIfNull(value);
        writer.WriteUnframed(value.Bytes);
    }

    public static void Unpack(ref PackReader reader, scoped ref PackedMessage? value)
    {
        value ??= new PackedMessage();
        value.Bytes = reader.ReadUnframed();
    }
}
