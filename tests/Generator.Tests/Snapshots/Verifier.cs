using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Snapshots;

/// <summary>
/// Snapshots with Verify's call shape and file names, for where its packages cannot be had. The csproj says how to switch.
/// </summary>
internal static class Verifier
{
    private const string AcceptVariable = "SNAPSHOT_ACCEPT";

    /// <summary>Compares each generated file with the accepted one beside the test; with SNAPSHOT_ACCEPT=1 it is accepted.</summary>
    public static Task Verify(GeneratorDriver driver, [CallerFilePath] string file = "", [CallerMemberName] string method = "")
    {
        string folder = Path.GetDirectoryName(file)!;
        string prefix = $"{Path.GetFileName(file).Split('.')[0]}.{method}#";
        var produced = driver.GetRunResult().Results
            .SelectMany(result => result.GeneratedSources)
            .ToDictionary(source => prefix + Path.GetFileNameWithoutExtension(source.HintName), source
                => $"//HintName: {source.HintName}\n{source.SourceText}");

        var faults = produced.Select(pair => Compare(Path.Combine(folder, pair.Key), pair.Value)).OfType<string>().ToList();
        faults.AddRange(Directory.EnumerateFiles(folder, prefix + "*.verified.cs")
            .Where(path => !produced.ContainsKey(Path.GetFileName(path)[..^".verified.cs".Length]))
            .Select(path => $"{path}: no longer produced"));
        Assert.True(faults.Count == 0, string.Join('\n', faults));
        return Task.CompletedTask;
    }

    private static string? Compare(string path, string received)
    {
        string verified = path + ".verified.cs";
        if (Environment.GetEnvironmentVariable(AcceptVariable) == "1")
        {
            File.WriteAllText(verified, received);
        }

        File.Delete(path + ".received.cs");
        string expected = File.Exists(verified) ? File.ReadAllText(verified) : "";
        if (expected == received)
        {
            return null;
        }

        File.WriteAllText(path + ".received.cs", received);
        return $"{verified}({FirstDifference(expected, received)}): differs from the .received.cs beside it; accept with "
            + $"{AcceptVariable}=1";
    }

    private static int FirstDifference(string expected, string received)
    {
        int same = expected.Split('\n').Zip(received.Split('\n')).TakeWhile(pair => pair.First == pair.Second).Count();
        return same + 1;
    }
}
