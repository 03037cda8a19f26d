namespace BlitQueue.Bench.Measuring;

/// <summary>What a <see cref="CountedScenario"/> times, once.</summary>
internal interface ICountedWork : IDisposable
{
    void Run();
}
