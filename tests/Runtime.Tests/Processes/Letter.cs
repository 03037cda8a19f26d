namespace BlitQueue.Tests.Processes;

/// <summary>Another message type than the one that the tests' queues hold: it shares one member's name, with another kind.</summary>
internal sealed class Letter : IPackable<Letter>
{
    public static MessageSchema Schema { get; } = new(nameof(Letter), [new MemberSchema("Number", "i32"), new MemberSchema("Text", "string")]);

    public static void Pack(ref PackWriter writer, scoped in Letter? value) => writer.WriteNull();

    public static void Unpack(ref PackReader reader, scoped ref Letter? value) => value = null;
}
