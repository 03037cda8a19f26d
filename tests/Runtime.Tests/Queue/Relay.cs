namespace BlitQueue.Tests.Queue;

/// <summary>A message whose packing runs code of its own, which may use queues, this one's too.</summary>
internal sealed class Relay : IPackable<Relay>
{
    public long Id { get; set; }

    /// <summary>Runs while the message is packed.</summary>
    public Action? WhilePacking { get; set; }

    /// <summary>Runs while a message is unpacked.</summary>
    public static Action? WhileUnpacking { get; set; }

    public static MessageSchema Schema { get; } = new(nameof(Relay), [new MemberSchema(nameof(Id), "i64")], runsUserCode: true);

    public static void Pack(ref PackWriter writer, scoped in Relay? value)
    {
        value!.WhilePacking?.Invoke();
        FixedBlockWriter block = writer.BeginMessage(8, 0);
        block.Write(0, value.Id);
        writer.EndMessage();
    }

    public static void Unpack(ref PackReader reader, scoped ref Relay? value)
    {
        WhileUnpacking?.Invoke();
        reader.BeginMessage(out FixedBlockReader block);
        value ??= new Relay();
        value.Id = block.Read<long>(0);
        reader.EndMessage(block, 0);
    }
}
