using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Loader;

namespace BlitQueue.Runner;

/// <summary>
/// <c>test ASSEMBLY [--only REGEX] [--leave-out FILE] [--threads N] [--seconds N] [--journal FILE]</c> runs tests;
/// <c>PROGRAM.dll ARGUMENTS</c> runs a program, as <c>dotnet</c> does; <c>about</c> tells what it runs on.
/// </summary>
internal static class Program
{
    private static int Main(string[] arguments)
    {
        WineExceptions.Repair();
        if (arguments is ["test", var tests, ..])
        {
            ResolveBeside(tests);
            return TestRun.Of(tests, new Options(arguments[2..]));
        }
        if (arguments is ["about"])
        {
            Console.WriteLine(
                $"{RuntimeInformation.FrameworkDescription}, {RuntimeInformation.ProcessArchitecture}, {RuntimeInformation.OSDescription}");
            return 0;
        }
        if (arguments is [var program, ..] && program.EndsWith(".dll", StringComparison.OrdinalIgnoreCase))
        {
            ResolveBeside(program);
            return AppDomain.CurrentDomain.ExecuteAssembly(Path.GetFullPath(program), arguments[1..]);
        }
        Console.Error.WriteLine(
            "Usage: test ASSEMBLY [--only REGEX] [--leave-out FILE] [--threads N] [--seconds N] [--journal FILE], PROGRAM.dll ARGUMENTS, "
                + "or about");
        return 2;
    }

    // What a program needs is beside it, and not beside this one.
    private static void ResolveBeside(string assembly)
    {
        string folder = Path.GetDirectoryName(Path.GetFullPath(assembly))!;
        AssemblyLoadContext.Default.Resolving += (context, name) =>
            Path.Combine(folder, name.Name + ".dll") is var path && File.Exists(path) ? context.LoadFromAssemblyPath(path) : null;
    }
}
