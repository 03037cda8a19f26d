using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Toolchains.InProcess.Emit;

namespace BlitQueue.Bench.Micro;

/// <summary>
/// Runs in this process: BenchmarkDotNet's own project would be looked for under the assembly's name, which the project file does not have.
/// </summary>
internal static class MicroConfig
{
    public static IConfig Create() =>
        DefaultConfig.Instance.AddJob(Job.Default.WithToolchain(InProcessEmitToolchain.Instance).AsDefault());
}
