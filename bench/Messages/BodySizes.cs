namespace BlitQueue.Bench.Messages;

/// <summary>The lengths of the MSMQ paper's bodies, characters.</summary>
internal static class BodySizes
{
    public static readonly int[] All = [0, 500, 1_000, 2_000, 10_000, 100_000, 1_000_000, 2_000_000];

    public static string TransportOf(int size) => $"body-{size}";
}
