namespace BlitQueue.Tests.Processes;

/// <summary>A number with packing of its own: zero is no bytes at all.</summary>
internal sealed class MaybeNothing : IPackable<MaybeNothing>
{
    public static MessageSchema Schema { get; } = new(nameof(MaybeNothing), []);

    public int Number { get; set; }

    /// <summary>Where those meet that are packed at the same time; it is not packed.</summary>
    public Barrier? Packing { get; init; }

    public static void Pack(ref PackWriter writer, scoped in MaybeNothing? value)
    {
        if (value!.Number != 0)
        {
            writer.WriteValue(value.Number);
        }
        value.Packing?.SignalAndWait(Peer.Patience);
    }

    public static void Unpack(ref PackReader reader, scoped ref MaybeNothing? value) =>
        value = new MaybeNothing { Number = reader.Remaining == 0 ? 0 : reader.ReadValue<int>() };
}
