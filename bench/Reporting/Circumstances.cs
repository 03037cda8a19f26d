using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace BlitQueue.Bench.Reporting;

/// <summary>What the figures are to be read with. No names of machines, users or directories.</summary>
internal sealed record Circumstances(
    string Processor, int Cores, string Kernel, string Runtime, string Revision, string Command, string Date)
{
    public static Circumstances Now(IEnumerable<string> arguments) => new(
        ProcessorModel(),
        Environment.ProcessorCount,
        $"{SystemName()} {Environment.OSVersion.Version}, {RuntimeInformation.OSArchitecture}",
        RuntimeInformation.FrameworkDescription,
        Commit(),
        CommandLine([.. arguments]),
        DateTime.UtcNow.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) + " UTC");

    private static string SystemName() => OperatingSystem.IsLinux() ? "Linux" : Environment.OSVersion.Platform.ToString();

    private static string ProcessorModel()
    {
        const string Source = "/proc/cpuinfo";
        string? line = File.Exists(Source)
            ? File.ReadLines(Source).FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))
            : Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER");
        return line?[(line.IndexOf(':') + 1)..].Trim() ?? RuntimeInformation.ProcessArchitecture.ToString();
    }

    private static string CommandLine(string[] arguments)
    {
        // Published, as a program is that is to start fast; "dotnet run" builds into a folder of that name.
        bool isPublished = !AppContext.BaseDirectory.Contains($"{Path.DirectorySeparatorChar}bin{Path.DirectorySeparatorChar}");
        string command = isPublished
            ? $"dotnet publish bench -c Release -r {RuntimeInformation.RuntimeIdentifier} --self-contained false -p:PublishReadyToRun=true "
                + "-o published && published/BlitQueue.Bench"
            : "dotnet run -c Release --project bench";
        IEnumerable<string> shown = arguments
            .Select(argument => Path.IsPathRooted(argument) ? Path.GetFileName(argument) : argument)
            .Select(argument => argument.Contains(' ') ? $"\"{argument}\"" : argument);
        return arguments.Length == 0 ? command : $"{command} {(isPublished ? "" : "-- ")}{string.Join(' ', shown)}";
    }

    private static string Commit()
    {
        string? commit = Git("rev-parse", "--short=12", "HEAD");
        return commit is null ? "unknown" : Git("status", "--porcelain", "--untracked-files=no") == "" ? commit : $"{commit} and changes";
    }

    private static string? Git(params string[] arguments)
    {
        try
        {
            using Process git = Process.Start(
                new ProcessStartInfo("git", arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
            string output = git.StandardOutput.ReadToEnd().Trim();
            git.WaitForExit();
            return git.ExitCode == 0 ? output : null;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }
}
