namespace BlitQueue.Shapes;

public readonly struct SecretPacker : IPacker<Secret>
{
    public static void Pack(ref PackWriter writer, scoped in Secret value) => writer.WriteString(value.Text as string);

    public static void Unpack(ref PackReader reader, scoped ref Secret value) => value.Text = reader.ReadString(value.Text as string);
}
