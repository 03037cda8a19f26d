using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace BlitQueue.Hosting.Tests;

/// <summary>What the OpenTelemetry SDK collects from the meter.</summary>
internal sealed class Collected : BaseExporter<Metric>
{
    private readonly Dictionary<(string Name, string Path, string Subscription), double> _values = [];
    private readonly MeterProvider _provider;
    private bool _isDisposed;

    public Collected() => _provider = Sdk.CreateMeterProviderBuilder().AddMeter("BlitQueue")
        .AddReader(new BaseExportingMetricReader(this)).Build();

    /// <summary>Collects anew.</summary>
    public void Collect()
    {
        _values.Clear();
        Assert.True(_provider.ForceFlush());
    }

    /// <summary>The value of a metric of a queue; null where there is none.</summary>
    public double? Of(string name, string path, string subscription = "") =>
        _values.TryGetValue((name, path, subscription), out double value) ? value : null;

    public IEnumerable<string> Names(string path) => _values.Keys.Where(key => key.Path == path).Select(static key => key.Name).Distinct();

    public override ExportResult Export(in Batch<Metric> batch)
    {
        foreach (Metric metric in batch)
        {
            foreach (ref readonly MetricPoint point in metric.GetMetricPoints())
            {
                var tags = new Dictionary<string, object?>();
                foreach (KeyValuePair<string, object?> tag in point.Tags)
                {
                    tags.Add(tag.Key, tag.Value);
                }
                Assert.Equal("blitqueue", tags["messaging.system"]);
                _values[(metric.Name, (string)tags["messaging.destination.name"]!,
                    (string)tags.GetValueOrDefault("messaging.destination.subscription.name", "")!)] = ValueOf(metric, in point);
            }
        }
        return ExportResult.Success;
    }

    private static double ValueOf(Metric metric, ref readonly MetricPoint point) => metric.MetricType switch
    {
        MetricType.LongSum => point.GetSumLong(),
        MetricType.LongGauge => point.GetGaugeLastValueLong(),
        MetricType.DoubleGauge => point.GetGaugeLastValueDouble(),
        MetricType.Histogram => point.GetHistogramCount(),
        _ => throw new NotSupportedException($"{metric.MetricType}"),
    };

    // The provider disposes its exporter, which is this.
    protected override void Dispose(bool disposing)
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _provider.Dispose();
        }
        base.Dispose(disposing);
    }
}
