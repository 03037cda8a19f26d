using System.Diagnostics;

namespace BlitQueue.Bench.Floors;

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
            using Process compiler = Process.Start("cc", ["-O3", "-march=native", "-o", program, source]);
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
