using System.Diagnostics;
using System.Globalization;
using BlitQueue.Bench.Floors;

namespace BlitQueue.Bench.Measuring;

/// <summary>A floor that is measured by the C program.</summary>
internal sealed class NativeScenario(string name, Role role, string floor, string argument = "") : Scenario(name, role)
{
    /// <summary>Stands in an argument for the place.</summary>
    public const string Here = "{place}";

    public override Sample Measure(TimeSpan duration, string place)
    {
        string seconds = duration.TotalSeconds.ToString(CultureInfo.InvariantCulture);
        var start = new ProcessStartInfo(NativeFloors.Program!, [floor, seconds, argument.Replace(Here, place)]) { RedirectStandardOutput = true };
        using Process process = Process.Start(start)!;
        string[] figures = process.StandardOutput.ReadToEnd().Split();
        process.WaitForExit();
        return process.ExitCode == 0
            ? new Sample(long.Parse(figures[0], CultureInfo.InvariantCulture), double.Parse(figures[1], CultureInfo.InvariantCulture))
            : throw new InvalidOperationException($"The floor '{floor} {argument}' failed with exit code {process.ExitCode}.");
    }
}
