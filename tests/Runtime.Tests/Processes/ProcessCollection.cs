using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Tests that start processes run one after the other, and beside no other: they measure, and they take all processors.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class ProcessCollection
{
    public const string Name = "Processes";
}
