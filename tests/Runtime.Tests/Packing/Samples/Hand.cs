namespace BlitQueue.Tests.Packing.Samples;

/// <summary>Writes packed bytes with a writer and reads them with a reader, without a message around them.</summary>
public static class Hand
{
    public delegate void Packing(ref PackWriter writer);

    public delegate T Unpacking<out T>(ref PackReader reader);

    public static byte[] Pack(Packing packing)
    {
        var destination = new System.Buffers.ArrayBufferWriter<byte>();
        var writer = new PackWriter(destination);
        packing(ref writer);
        writer.Complete();
        return destination.WrittenSpan.ToArray();
    }

    public static string Hex(Packing packing) => Convert.ToHexString(Pack(packing));

    public static T Unpack<T>(ReadOnlySpan<byte> bytes, Unpacking<T> unpacking)
    {
        var reader = new PackReader(bytes);
        T? value = unpacking(ref reader);
        Assert.Equal(0, reader.Remaining);
        return value;
    }

    public static PackException Refused(string hex, Action<byte[]> unpacking)
    {
        byte[] bytes = Convert.FromHexString(hex.Replace(" ", ""));
        return Assert.Throws<PackException>(() => unpacking(bytes));
    }

    public static PackException Refused<T>(string hex, Unpacking<T> unpacking) => Refused(hex, bytes =>
    {
        var reader = new PackReader(bytes);
        unpacking(ref reader);
    });
}
