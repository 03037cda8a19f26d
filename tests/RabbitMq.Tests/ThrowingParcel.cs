namespace BlitQueue.RabbitMq.Tests;

/// <summary>A message whose callbacks throw for one number.</summary>
[QueueMessage]
public sealed partial class ThrowingParcel
{
    /// <summary>The number for which each of the two throws; -1 for none.</summary>
    public static int BadPacking { get; set; } = -1;

    public static int BadUnpacked { get; set; } = -1;

    public int Number { get; set; }

    // As those of a user's assembly, whose name tells nothing.
    private static InvalidOperationException Failure(int number) => new($"{number} is invalid") { Source = "Shop" };

    [OnPacking]
    private void Packing()
    {
        if (Number == BadPacking)
        {
            throw Failure(Number);
        }
    }

    [OnUnpacked]
    private void Unpacked()
    {
        if (Number == BadUnpacked)
        {
            throw Failure(Number);
        }
    }
}
