using BlitQueue.Generated;
namespace BlitQueue.Tests.Packing.Samples;

/// <summary>A struct message as the generator would write it.</summary>
public struct Point : IPackable<Point>
{
    public int X;
    public short? Y;

    public static MessageSchema Schema { get; } = new("Point", [new("X", "i32"), new("Y", "i16?")]);

    public static void Pack(ref PackWriter writer, scoped in Point value)
    {
        FixedBlockWriter block = writer.BeginMessage(fixedLength: 7, variableCount: 0);
        block.Write(0, value.X);
        block.WriteNullable(4, value.Y);
        writer.EndMessage();
    }

    public static void Unpack(ref PackReader reader, scoped ref Point value)
    {
        if (!reader.BeginMessage(out FixedBlockReader block))
        {
            PackException.ThrowNullStruct(in reader, typeof(Point));
        }

        value.X = block.Has<int>(0) ? block.Read<int>(0) : 0;
        value.Y = block.HasNullable<short>(4) ? block.ReadNullable<short>(4) : null;
        reader.EndMessage(in block, readVariables: 0);
    }
}
