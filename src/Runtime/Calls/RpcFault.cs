namespace BlitQueue.Calls;

/// <summary>
/// An exception in bytes: three texts of UTF-8, each with its length in front, -1 for none; cut off where they are too long.
/// </summary>
internal static class RpcFault
{
    /// <summary>The most bytes that any fault takes: they fit into a cell.</summary>
    public const int LongestFault = RpcFormat.OwnSize;

    private const int LongestType = 256, LongestMessageBesideStack = 512, Length = sizeof(int), LongestCharacter = 4;

    /// <returns>How many bytes.</returns>
    public static int Write(Span<byte> bytes, Exception exception, bool withStackTrace)
    {
        Span<byte> rest = bytes;
        Write(ref rest, exception.GetType().FullName, LongestType);
        Write(ref rest, ThrownText.MessageOf(exception), withStackTrace ? LongestMessageBesideStack : rest.Length - (2 * Length));
        Write(ref rest, withStackTrace ? ThrownText.StackOf(exception) : null, rest.Length - Length);
        return bytes.Length - rest.Length;
    }

    /// <summary>The client's exception.</summary>
    public static RpcFaultException Read(ReadOnlySpan<byte> bytes, string path, int? process)
    {
        string type = Read(ref bytes) ?? "", message = Read(ref bytes) ?? "";
        return new RpcFaultException($"{path}: the handler failed with {type}: {message}")
        {
            Path = path, ProcessId = process, FaultType = type, FaultMessage = message, ServerStackTrace = Read(ref bytes),
        };
    }

    private static void Write(ref Span<byte> rest, string? text, int most)
    {
        int length = text is "" ? 0 : -1, space = Math.Min(most, rest.Length - Length);
        if (text is not (null or "") && space >= LongestCharacter)
        {
            Encoding.UTF8.GetEncoder().Convert(text, rest.Slice(Length, space), flush: true, out _, out length, out _);
        }
        BinaryPrimitives.WriteInt32LittleEndian(rest, length);
        rest = rest[(Length + Math.Max(0, length))..];
    }

    // Another process wrote it.
    private static string? Read(ref ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < Length)
        {
            return null;
        }
        int length = BinaryPrimitives.ReadInt32LittleEndian(bytes);
        bytes = bytes[Length..];
        if (length < 0)
        {
            return null;
        }
        int count = Math.Min(length, bytes.Length);
        string text = Encoding.UTF8.GetString(bytes[..count]);
        bytes = bytes[count..];
        return text;
    }
}
