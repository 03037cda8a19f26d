using BlitQueue.Generated;
using BlitQueue.Log;

namespace BlitQueue;

/// <summary>A message that a subscription has set aside, and why.</summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <example>
/// <code>
/// foreach (DeadLetter&lt;Order&gt; letter in billing.DeadLetters)
/// {
///     Console.WriteLine($"{letter.Position} after {letter.Attempts} deliveries: {letter.Reason}");
/// }
/// </code>
/// </example>
public sealed class DeadLetter<T> : IPackable<DeadLetter<T>>
    where T : IPackable<T>
{
    // Position at 0, Attempts at 8, DeadLetteredAt, which the schema calls Time, at 12; then the reason and the message.
    private const int FixedLength = 20, VariableCount = 2;

    private T? _message;
    private byte[] _packed = [];
    private int _packedLength;
    private bool _isUnpacked;

    /// <summary>The message, unpacked when it is first asked for.</summary>
    /// <exception cref="PackException">
    /// It cannot be unpacked. An exception of the message's own code reaches the caller unchanged. <see cref="PackedMessage"/> has the
    /// bytes.
    /// </exception>
    public T Message
    {
        get
        {
            if (!_isUnpacked)
            {
                var reader = new PackReader(PackedMessage);
                T.Unpack(ref reader, ref _message);
                _isUnpacked = true;
            }
            return _message!;
        }
    }

    /// <summary>The message as its producer packed it. Valid until the letter is filled anew.</summary>
    public ReadOnlySpan<byte> PackedMessage => _packed.AsSpan(0, _packedLength);

    /// <summary>
    /// Why it was set aside: the reason given to <see cref="Lease{T}.DeadLetter"/>; if it was delivered too often, the last reason given to
    /// <see cref="Lease{T}.Abandon(string)"/>, or a text that says just that; or a text that says that its time to live was over.
    /// </summary>
    public string Reason { get; private set; } = "";

    /// <summary>Where the message stood in its queue.</summary>
    public QueuePosition Position { get; private set; }

    /// <summary>How often it had been delivered to a consumer; 0 where it was set aside unseen.</summary>
    public int Attempts { get; private set; }

    /// <summary>When it was set aside, UTC.</summary>
    public DateTime DeadLetteredAt { get; private set; }

    /// <summary>What stood beside the message, its time of enqueue and its end included; null where nothing did.</summary>
    public MessageProperties? Properties { get; private set; }

    internal static DeadLetter<T> Of(ReadOnlySpan<byte> packed, string reason, QueuePosition position, int attempts, DateTime now)
    {
        var letter = new DeadLetter<T> { Reason = reason, Position = position, Attempts = attempts, DeadLetteredAt = now };
        letter.SetPacked(packed);
        return letter;
    }

    /// <summary>What stands in the queue of dead letters.</summary>
    public static MessageSchema Schema { get; } = new(
        $"DeadLetter<{typeof(T).Name}>",
        [
            new MemberSchema("Position", "i64"),
            new MemberSchema("Attempts", "i32"),
            new MemberSchema("Time", "datetime"),
            new MemberSchema("Reason", "string"),
            new MemberSchema("Message", "#0", static () => T.Schema),
        ]);

    /// <summary>Writes the letter, or the null mark for null.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The letter.</param>
    public static void Pack(ref PackWriter writer, scoped in DeadLetter<T>? value)
    {
        if (value is null)
        {
            writer.WriteNull();
            return;
        }
        FixedBlockWriter block = writer.BeginMessage(FixedLength, VariableCount);
        block.Write(0, value.Position.Value);
        block.Write(8, value.Attempts);
        block.Write(12, value.DeadLetteredAt);
        writer.WriteString(value.Reason);
        VariableMark message = writer.BeginVariable();
        writer.WriteUnframed(value.PackedMessage);
        writer.EndVariable(message);
        writer.EndMessage();
    }

    /// <summary>Reads the letter; null for the null mark.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">A letter to fill, or null.</param>
    public static void Unpack(ref PackReader reader, scoped ref DeadLetter<T>? value)
    {
        if (!reader.BeginMessage(out FixedBlockReader block))
        {
            value = null;
            return;
        }
        value ??= new DeadLetter<T>();
        value.Position = new QueuePosition(block.Read<long>(0));
        value.Attempts = block.Read<int>(8);
        value.DeadLetteredAt = block.Read<DateTime>(12);
        value.Reason = reader.ReadString(value.Reason) ?? "";
        bool isThere = reader.BeginVariable(out VariableScope message);
        value.SetPacked(isThere ? reader.ReadUnframed() : []);
        if (isThere)
        {
            reader.EndVariable(message);
        }
        reader.EndMessage(in block, VariableCount);
    }

    /// <summary>Reads the properties in front of the letter; null if none of them is the message's own.</summary>
    /// <returns>false when the bytes are damaged.</returns>
    internal bool TryTakeProperties(in PropertyBlock block)
    {
        Properties = block.IsEmpty ? null : Properties ?? new MessageProperties();
        return Properties?.TryFill(block) != false;
    }

    /// <summary>The position in a packed letter.</summary>
    /// <exception cref="PackException">It is no letter.</exception>
    internal static long PositionIn(ReadOnlySpan<byte> packed)
    {
        var reader = new PackReader(packed);
        return reader.BeginMessage(out FixedBlockReader block) ? block.Read<long>(0) : throw new PackException("it is none");
    }

    // Copied, because the bytes do not stay mapped.
    private void SetPacked(ReadOnlySpan<byte> packed)
    {
        if (_packed.Length < packed.Length)
        {
            _packed = new byte[packed.Length];
        }
        packed.CopyTo(_packed);
        (_packedLength, _isUnpacked) = (packed.Length, false);
    }
}
