using BenchmarkDotNet.Running;
using BlitQueue.Bench.Generating;
using BlitQueue.Bench.Idle;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Micro;
using BlitQueue.Bench.Peers;
using BlitQueue.Bench.Reporting;
using BlitQueue.Bench.Serializing;

namespace BlitQueue.Bench;

/// <summary>The verbs.</summary>
internal static class Program
{
    private static int Main(string[] arguments)
    {
        switch (arguments)
        {
            case [Peer.Verb]:
                return PeerMain.Run();
            case ["micro", .. var rest]:
                BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(
                    rest.Length == 0 ? ["--filter", "*"] : rest, MicroConfig.Create());
                return 0;
            case ["generator"]:
                return GeneratorBench.Run();
            case ["idle"]:
                return IdleBench.Run();
            case ["serializer", ..]:
                return SerializerBench.Run(arguments);
            default:
                return Compare(arguments);
        }
    }

    private static int Compare(string[] arguments)
    {
        BenchOptions options;
        try
        {
            options = BenchOptions.Parse(arguments);
        }
        catch (ArgumentException exception)
        {
            Console.Error.WriteLine(exception.Message);
            return 1;
        }
        var report = new Report(Circumstances.Now(arguments), Runner.Run(options));
        Console.WriteLine(MarkdownReport.Write(report));
        if (options.Output is { } path)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
            File.WriteAllText(path, MarkdownReport.Write(report));
            File.WriteAllText(Path.ChangeExtension(path, ".json"), JsonReport.Write(report));
        }
        return 0;
    }
}
