using System.Text;

namespace BlitQueue.RabbitMq;

/// <summary>One text for every option that is out of its range.</summary>
internal static class OptionCheck
{
    private const int LongestName = 255;

    public static void Require(bool isMet, string name, string range, object? value)
    {
        if (!isMet)
        {
            throw new ArgumentException($"{name} is {value ?? "null"}. It must be {range}.");
        }
    }

    /// <summary>Of a name that the broker's protocol sends with its length in one byte.</summary>
    public static void RequireShort(string name, string? text) =>
        Require(text is null || Encoding.UTF8.GetByteCount(text) <= LongestName, name, "at most 255 bytes of UTF-8", text);
}
