using BenchmarkDotNet.Running;
using BlitQueue.Bench.Bridging;
using BlitQueue.Bench.Generating;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Micro;
using BlitQueue.Bench.Operations;
using BlitQueue.Bench.Plans;
using BlitQueue.Bench.Promises;
using BlitQueue.Bench.Reporting;
using BlitQueue.Bench.Serializing;
using BlitQueue.Bench.Verbs;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench;

/// <summary>The verbs.</summary>
internal static class Program
{
    private const string AllOutput = "bench/results/all.md", QuickOutput = "bench/results/quick.md";

    private static int Main(string[] arguments)
    {
        try
        {
            return Run(arguments);
        }
        catch (ArgumentException exception)
        {
            Console.Error.WriteLine(exception.Message);
            return 1;
        }
        catch (Exception exception)
        {
            // Where nobody catches it no finally is run, and gigabytes stay on the disk.
            Console.Error.WriteLine(exception);
            return 1;
        }
        finally
        {
            ScratchDirectory.DeleteAll();
        }
    }

    private static int Run(string[] arguments)
    {
        switch (arguments)
        {
            case [Worker.Verb, .. var rest]:
                return WorkerMain.Run(isBare: rest is [Worker.Bare]);
            case [OtherProcess.Verb, .. var rest]:
                return OtherProcess.Run(rest);
            case ["micro", .. var rest]:
                BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(
                    rest.Length == 0 ? ["--filter", "*"] : rest, MicroConfig.Create());
                return 0;
            case [GeneratorBench.Verb, ..]:
                return GeneratorBench.Run(arguments);
            case ["idle"]:
                return IdleBench.Run();
            case ["transactions"]:
                return LongTransactionBench.Run();
            case [ToolBench.Verb, .. var rest]:
                return ToolBench.Run(rest);
            case [BridgeBench.Verb, ..]:
                return BridgeBench.Run(arguments);
            case [BridgeProcess.Verb, var path, var host, var queue]:
                return BridgeProcess.Run(path, host, queue);
            case [BridgeProcess.PublisherVerb, var host, var queue, var burst, var pause]:
                return BridgeProcess.RunPublisher(host, queue, Rhythm.Parse(burst, pause));
            case [BridgeProcess.ConsumerVerb, var path]:
                return BridgeProcess.RunConsumer(path);
            case ["serializer", ..]:
                return SerializerBench.Run(arguments);
            case ["durability", .. var rest]:
                return Compare(arguments, BenchOptions.Parse(rest) with { Only = Titles.Durable });
            case ["calls", .. var rest]:
                return Compare(arguments, BenchOptions.Parse(rest) with { Only = Titles.Calls });
            case ["shared", .. var rest]:
                return Compare(arguments, BenchOptions.Parse(rest) with { Only = Titles.Shared });
            case ["latency", .. var rest]:
                return Compare(
                    arguments, BenchOptions.Parse(rest) with { Seconds = 3 }, LatencyPlan.AtAllRates, PromiseList.Latencies());
            case ["scale", .. var rest]:
                return Compare(arguments, BenchOptions.Parse(rest) with { Seconds = 2 }, ScalePlan.Groups, PromiseList.Scale());
            case ["operations", .. var rest]:
                var operations = BenchOptions.Parse(rest, OperationsPlan.FullDepth);
                IReadOnlyList<Table> measured = Runner.Run(OperationsPlan.Groups(operations.Depth), operations);
                return Tell(arguments, operations, measured, OperationsPlan.Promises(operations.Depth));
            case ["all", .. var rest]:
                var options = BenchOptions.Parse(rest);
                return Compare(
                    arguments, options with { Output = options.Output ?? (options.Quick ? QuickOutput : AllOutput) },
                    packing: () => SerializerBench.Sections(options.Quick ? SerializerBench.QuickRounds : SerializerBench.Rounds));
            default:
                return Compare(arguments, BenchOptions.Parse(arguments));
        }
    }

    private static int Compare(string[] arguments, BenchOptions options, Func<string>? packing = null) => Compare(
        arguments, options, workers => Plan.Make(workers, options.Depth), PromiseList.All(options.Depth), packing);

    private static int Compare(
        string[] arguments, BenchOptions options, Func<WorkerSet, IReadOnlyList<ScenarioGroup>> plan, IReadOnlyList<Promise> promises,
        Func<string>? packing = null)
    {
        IReadOnlyList<Table> tables;
        using (var workers = new WorkerSet())
        {
            tables = Runner.Run(plan(workers), options);
        }
        return Tell(arguments, options, tables, promises, packing);
    }

    private static int Tell(
        string[] arguments, BenchOptions options, IReadOnlyList<Table> tables, IReadOnlyList<Promise> promises,
        Func<string>? packing = null)
    {
        Judgement[] judgements = [.. promises.Select(promise => promise.Judge(tables))];
        // In a run of some rows only what they say something of.
        bool isWhole = options.Only.Length == 0;
        var report = new Report(
            Circumstances.Now(arguments), tables, [.. judgements.Where(judgement => isWhole || judgement.Outcome != Outcome.NotMeasured)])
        { Packing = packing?.Invoke() ?? "" };
        Console.WriteLine(MarkdownReport.Write(report));
        if (options.Output is { } path)
        {
            ReportFiles.Write(report, path);
        }
        return 0;
    }
}
