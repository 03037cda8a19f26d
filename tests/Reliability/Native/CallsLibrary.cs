using System.Diagnostics;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Native;

/// <summary>Compiles calls.c, and starts this program anew with it in front of the C library.</summary>
internal static class CallsLibrary
{
    private static readonly Lazy<(string? Path, string? Hindrance)> Compiled = new(Compile);

    /// <summary>Why there is none; null where there is one.</summary>
    public static string? Hindrance => Compiled.Value.Hindrance;

    /// <summary>How to start this program as a worker.</summary>
    /// <param name="arguments">The first is the worker's name, as Program.cs knows it.</param>
    public static ProcessStartInfo StartInfo(params string[] arguments)
    {
        string library = Compiled.Value.Path ?? throw new InvalidOperationException(Hindrance);
        ProcessStartInfo start = SelfProcess.StartInfo(arguments);
        start.Environment["LD_PRELOAD"] = library;
        start.Environment[SystemCalls.PathVariable] = library;
        return start;
    }

    private static (string? Path, string? Hindrance) Compile()
    {
        if (!OperatingSystem.IsLinux())
        {
            return (null, "calls are intercepted on Linux only");
        }
        string source = Path.Combine(AppContext.BaseDirectory, "Native", "calls.c");
        string library = Path.Combine(Directory.CreateTempSubdirectory("blitqueue-calls-").FullName, "calls.so");
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(Path.GetDirectoryName(library)!, recursive: true);
        try
        {
            using Process compiler = Process.Start(new ProcessStartInfo("cc", ["-shared", "-fPIC", "-O2", "-o", library, source,
                "-ldl"])
            { RedirectStandardError = true })!;
            string said = compiler.StandardError.ReadToEnd();
            compiler.WaitForExit();
            return compiler.ExitCode == 0 ? (library, null) : (null, $"cc cannot compile calls.c: {said}");
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return (null, "there is no C compiler (cc)");
        }
    }
}
