using System.Collections.Concurrent;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Emit;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>Source with its generated half, compiled and loaded: the real thing.</summary>
internal sealed class LoadedAssembly
{
    private static readonly ConcurrentDictionary<string, Assembly> Loaded = new();

    private readonly Assembly _assembly;
    private readonly MetadataReference[] _references;

    // What is loaded from bytes is not found by name.
    static LoadedAssembly() => AppDomain.CurrentDomain.AssemblyResolve += (_, wanted) => Loaded.GetValueOrDefault(wanted.Name);

    private LoadedAssembly(byte[] image, MetadataReference[] below)
    {
        _assembly = Assembly.Load(image);
        _references = [.. below, MetadataReference.CreateFromImage(image)];
        Loaded[_assembly.FullName!] = _assembly;
    }

    public static LoadedAssembly Of(params string[] sources) => Of(sources, []);

    /// <summary>Source that uses what this assembly holds.</summary>
    public LoadedAssembly Above(params string[] sources) => Of(sources, _references);

    private static LoadedAssembly Of(string[] sources, MetadataReference[] below)
    {
        // Each assembly has a name of its own: two versions of a type are loaded side by side.
        var run = GeneratorRun.Of(Compile.Named("Sample" + Guid.NewGuid().ToString("N"), sources).AddReferences(below));
        Assert.Empty(Compile.Complaints(run.Output));
        return Load(run.Output, below);
    }

    /// <summary>Source and generated source as they are, which a test may have changed.</summary>
    public static LoadedAssembly OfWhole(Compilation output) => Load(output, []);

    private static LoadedAssembly Load(Compilation output, MetadataReference[] below)
    {
        using var image = new MemoryStream();
        EmitResult emitted = output.Emit(image);
        Assert.True(emitted.Success, string.Join('\n', emitted.Diagnostics));
        return new LoadedAssembly(image.ToArray(), below);
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
