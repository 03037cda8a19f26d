using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Tests that measure time, threads or memory, or that start processes that take all processors, run one after the other, and beside no
/// other. A test that mostly waits for a process of its own needs no collection.
/// </summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class ProcessCollection
{
    public const string Name = "Processes";
}
