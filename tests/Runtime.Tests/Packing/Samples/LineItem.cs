using BlitQueue.Generated;
namespace BlitQueue.Tests.Packing.Samples;

/// <summary>A nested message as the generator would write it.</summary>
public sealed class LineItem : IPackable<LineItem>
{
    public string? Sku { get; set; }
    public int Count { get; set; }

    public static MessageSchema Schema { get; } = new("LineItem", [new("Sku", "string"), new("Count", "i32")]);

    public static void Pack(ref PackWriter writer, scoped in LineItem? value)
    {
        if (value is null)
        {
            writer.WriteNull();
            return;
        }

        FixedBlockWriter block = writer.BeginMessage(fixedLength: 4, variableCount: 1);
        block.Write(0, value.Count);
        writer.WriteString(value.Sku);
        writer.EndMessage();
    }

    public static void Unpack(ref PackReader reader, scoped ref LineItem? value)
    {
        if (!reader.BeginMessage(out FixedBlockReader block))
        {
            value = null;
            return;
        }

        value ??= new LineItem();
        value.Count = block.Has<int>(0) ? block.Read<int>(0) : 0;
        value.Sku = block.VariableCount > 0 ? reader.ReadString(value.Sku) : null;
        reader.EndMessage(in block, readVariables: 1);
    }
}
