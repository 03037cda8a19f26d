using System.Diagnostics;
using System.Diagnostics.Metrics;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Pairs;

/// <summary>A message in and out while somebody collects the metrics each second.</summary>
internal struct MeteredPair : IPair
{
    private readonly MeterListener _listener = new()
    {
        InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == "BlitQueue")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        },
    };

    private readonly Timer _collecting;
    private Fixed64Ends _ends;

    public MeteredPair(string path)
    {
        _ends = new Fixed64Ends(path);
        MeterListener listener = _listener;
        listener.SetMeasurementEventCallback<long>(static (_, _, _, _) => { });
        listener.SetMeasurementEventCallback<double>(static (_, _, _, _) => { });
        listener.Start();
        _collecting = new Timer(_ => listener.RecordObservableInstruments(), null, TimeSpan.Zero, TimeSpan.FromSeconds(1));
    }

    public long Deliver(long number) => _ends.Deliver(number);

    public readonly void Dispose()
    {
        _collecting.Dispose();
        _listener.Dispose();
        _ends.Dispose();
    }
}

/// <summary>A message in and out while somebody records each span.</summary>
internal struct TracedPair : IPair
{
    private readonly ActivityListener _listener = new()
    {
        ShouldListenTo = static source => source.Name == "BlitQueue",
        Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
    };

    private Fixed64Ends _ends;

    public TracedPair(string path)
    {
        _ends = new Fixed64Ends(path);
        ActivitySource.AddActivityListener(_listener);
    }

    public long Deliver(long number) => _ends.Deliver(number);

    public readonly void Dispose()
    {
        _listener.Dispose();
        _ends.Dispose();
    }
}

/// <summary>A message in and out while the tool looks at the queue.</summary>
internal struct WatchedPair : IPair
{
    private readonly ToolProcess _tool;
    private Fixed64Ends _ends;

    /// <param name="path">Where the queue is made.</param>
    /// <param name="look">Starts the tool.</param>
    public WatchedPair(string path, Func<string, ToolProcess> look)
    {
        _ends = new Fixed64Ends(path);
        // So that there is something to look at.
        _ends.Deliver(0);
        _tool = look(path);
    }

    public long Deliver(long number) => _ends.Deliver(number);

    public readonly void Dispose()
    {
        _tool.Dispose();
        _ends.Dispose();
    }
}
