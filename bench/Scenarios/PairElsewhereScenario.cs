using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Scenarios;

/// <summary>
/// One message of 64 bytes in, the same message out, on one thread of a process of its own, in which the library may have no instruments.
/// </summary>
internal sealed class PairElsewhereScenario(string name, Role role, bool isBare) : Scenario(name, role)
{
    private Worker? _worker;

    public override Sample Measure(TimeSpan duration, string root)
    {
        _worker ??= new Worker(isBare);
        _worker.Begin(new WorkerTask(WorkerJob.Pair, Transport: "", root, duration));
        return _worker.AwaitResult<Sample>();
    }

    public override void Dispose() => _worker?.Dispose();
}
