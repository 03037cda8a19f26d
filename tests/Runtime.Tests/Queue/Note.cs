namespace BlitQueue.Tests.Queue;

/// <summary>A message with a string and fixed members, as the generator would write it.</summary>
internal sealed class Note : IPackable<Note>
{
    public long Id { get; set; }

    public string? Text { get; set; }

    public static MessageSchema Schema { get; } = new(nameof(Note), [new MemberSchema(nameof(Id), "i64"), new MemberSchema(nameof(Text), "string")]);

    public static void Pack(ref PackWriter writer, scoped in Note? value)
    {
        if (value is null)
        {
            writer.WriteNull();
            return;
        }
        FixedBlockWriter block = writer.BeginMessage(8, 1);
        block.Write(0, value.Id);
        writer.WriteString(value.Text);
        writer.EndMessage();
    }

    public static void Unpack(ref PackReader reader, scoped ref Note? value)
    {
        if (!reader.BeginMessage(out FixedBlockReader block))
        {
            value = null;
            return;
        }
        value ??= new Note();
        value.Id = block.Read<long>(0);
        value.Text = reader.ReadString(value.Text);
        reader.EndMessage(block, 1);
    }
}
