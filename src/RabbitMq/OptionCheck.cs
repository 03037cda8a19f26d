namespace BlitQueue.RabbitMq;

/// <summary>One text for every option that is out of its range.</summary>
internal static class OptionCheck
{
    public static void Require(bool isMet, string name, string range, object? value)
    {
        if (!isMet)
        {
            throw new ArgumentException($"{name} is {value ?? "null"}. It must be {range}.");
        }
    }
}
