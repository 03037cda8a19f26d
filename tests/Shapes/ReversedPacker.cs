namespace BlitQueue.Shapes;

public readonly struct ReversedPacker : IPacker<string>
{
    public static void Pack(ref PackWriter writer, scoped in string? value)
    {
        if (value is null)
        {
            writer.WriteNull();
            return;
        }

        char[] chars = value.ToCharArray();
        Array.Reverse(chars);
        writer.WriteSpan<char>(chars);
    }

    public static void Unpack(ref PackReader reader, scoped ref string? value)
    {
        char[]? chars = reader.ReadArray<char>();
        if (chars is not null)
        {
            Array.Reverse(chars);
        }

        value = chars is null ? null : new string(chars);
    }
}
