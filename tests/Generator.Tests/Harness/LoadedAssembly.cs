using System.Reflection;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>Source with its generated half, compiled and loaded: the real thing.</summary>
internal sealed class LoadedAssembly
{
    private readonly Assembly _assembly;

    private LoadedAssembly(Assembly assembly) => _assembly = assembly;

    public static LoadedAssembly Of(params string[] sources)
    {
        // Each assembly has a name of its own: two versions of a type are loaded side by side.
        var run = GeneratorRun.Of(Compile.Named("Sample" + Guid.NewGuid().ToString("N"), sources));
        Assert.Empty(Compile.Complaints(run.Output));

        using var image = new MemoryStream();
        var emitted = run.Output.Emit(image);
        Assert.True(emitted.Success, string.Join('\n', emitted.Diagnostics));
        return new LoadedAssembly(Assembly.Load(image.ToArray()));
    }

    /// <summary>Compiles, loads and calls <c>Probe.Run()</c>, whose assertions are the test.</summary>
    public static void Run(params string[] sources) => Of(sources).Call<object>("Run");

    /// <summary>A type of the source.</summary>
    public Type Type(string name) => _assembly.GetType(name, throwOnError: true)!;

    /// <summary>Calls a static method of <c>Probe</c>.</summary>
    public T Call<T>(string method, params object[] arguments)
    {
        try
        {
            return (T)_assembly.GetType("Probe")!.GetMethod(method)!.Invoke(null, arguments)!;
        }
        catch (TargetInvocationException thrown) when (thrown.InnerException is not null)
        {
            throw new InvalidOperationException($"Probe.{method}: {thrown.InnerException.Message}", thrown.InnerException);
        }
    }
}
