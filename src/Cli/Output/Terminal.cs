namespace BlitQueue.Cli.Output;

/// <summary>The two outputs: what was asked for, and one line about what went wrong.</summary>
internal static class Terminal
{
    private const int BufferSize = 64 * 1024;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);
    private static Stream? Written;

    /// <summary>What was asked for, buffered.</summary>
    public static Stream Out => Written ??= new BufferedStream(Console.OpenStandardOutput(), BufferSize);

    public static void Flush() => Written?.Flush();

    public static void Line(string text) => Line(Utf8.GetBytes(text));

    public static void Line(ReadOnlySpan<byte> text)
    {
        Out.Write(text);
        Out.WriteByte((byte)'\n');
    }

    /// <summary>Says what went wrong, in one line.</summary>
    public static void Complain(string what)
    {
        string line = string.Join(' ', what.Split((char[])['\n', '\r'], StringSplitOptions.RemoveEmptyEntries));
        Console.Error.WriteLine($"blitq: {line}");
    }
}
