namespace BlitQueue.RabbitMq.Tests;

/// <summary>A theory that needs the broker and a file system of its own; skipped, and counted as that, where one is not there.</summary>
public sealed class MountTheoryAttribute : TheoryAttribute
{
    public MountTheoryAttribute() => Skip = new MountFactAttribute().Skip;
}
