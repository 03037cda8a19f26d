using System.Diagnostics;
using System.Globalization;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Floors;

/// <summary>A floor that is measured by the C program.</summary>
internal sealed class NativeScenario(string name, Role role, string floor, string argument = "") : Scenario(name, role)
{
    /// <summary>Stands in an argument for the root.</summary>
    public const string Here = "{root}";

    public override Sample Measure(TimeSpan duration, string root)
    {
        string seconds = duration.TotalSeconds.ToString(CultureInfo.InvariantCulture);
        var start = new ProcessStartInfo(NativeFloors.Program!, [floor, seconds, argument.Replace(Here, root)])
        {
            RedirectStandardOutput = true,
        };
        using Process process = Process.Start(start)!;
        string[] figures = process.StandardOutput.ReadToEnd().Split();
        process.WaitForExit();
        return process.ExitCode == 0
            ? new Sample(long.Parse(figures[0], CultureInfo.InvariantCulture), double.Parse(figures[1], CultureInfo.InvariantCulture))
            : throw new InvalidOperationException($"The floor '{floor} {argument}' failed with exit code {process.ExitCode}.");
    }
}

/// <summary>floors.c, compiled by the machine's C compiler when first asked for.</summary>
internal static class NativeFloors
{
    private static readonly Lazy<string?> Compiled = new(Compile);

    /// <summary>The program's path; null where there is no compiler, or no Linux.</summary>
    public static string? Program => Compiled.Value;

    private static string? Compile()
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }
        string source = Path.Combine(AppContext.BaseDirectory, "Floors", "floors.c"), program = Path.ChangeExtension(source, null);
        try
        {
            using var compiler = Process.Start("cc", ["-O3", "-march=native", "-o", program, source]);
            compiler.WaitForExit();
            return compiler.ExitCode == 0 ? program : throw new InvalidOperationException($"{source} does not compile.");
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Console.Error.WriteLine("No C compiler (cc): the floors that are written in C are left out.");
            return null;
        }
    }
}
