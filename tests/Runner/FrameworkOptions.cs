using Xunit.Abstractions;

namespace BlitQueue.Runner;

/// <summary>What the tests' framework asks its caller.</summary>
internal sealed class FrameworkOptions : ITestFrameworkDiscoveryOptions, ITestFrameworkExecutionOptions
{
    private readonly Dictionary<string, object?> _values;

    public FrameworkOptions(Options options) => _values = new Dictionary<string, object?>
    {
        ["xunit.discovery.SynchronousMessageReporting"] = true,
        ["xunit.execution.MaxParallelThreads"] = options.Threads,
    };

    public TValue GetValue<TValue>(string name) => _values.TryGetValue(name, out object? value) ? (TValue)value! : default!;

    public void SetValue<TValue>(string name, TValue value) => _values[name] = value;
}
