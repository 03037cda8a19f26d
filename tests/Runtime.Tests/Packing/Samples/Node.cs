using BlitQueue.Generated;
namespace BlitQueue.Tests.Packing.Samples;

/// <summary>A message that can hold itself.</summary>
public sealed class Node : IPackable<Node>
{
    public Node? Next { get; set; }

    public static MessageSchema Schema { get; } = new("Node", [new("Next", "#0", static () => Schema!)]);

    public static Node Chain(int length)
    {
        Node? head = null;
        for (int i = 0; i < length; i++)
        {
            head = new Node { Next = head };
        }

        return head!;
    }

    public static void Pack(ref PackWriter writer, scoped in Node? value)
    {
        if (value is null)
        {
            writer.WriteNull();
            return;
        }

        writer.BeginMessage(fixedLength: 0, variableCount: 1);
        writer.WriteMessage(value.Next);
        writer.EndMessage();
    }

    public static void Unpack(ref PackReader reader, scoped ref Node? value)
    {
        if (!reader.BeginMessage(out FixedBlockReader block))
        {
            value = null;
            return;
        }

        value ??= new Node();
        Node? next = value.Next;
        if (block.VariableCount > 0)
        {
            reader.ReadMessage(ref next);
        }

        value.Next = next;
        reader.EndMessage(in block, readVariables: 1);
    }
}
