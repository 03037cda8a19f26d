using System.Collections.Concurrent;
using System.Reflection;
using BlitQueue.Platform;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// The platform of this process, and which of its methods were called. The environment variable BLITQUEUE_COVER switches it on: the path of
/// a file to which the process adds, when it ends, a line for each of them, and before that one for each that the platform's own class has.
/// </summary>
internal sealed class CoveredPlatform(IPlatform inner) : PlatformAround(inner)
{
    public const string Variable = "BLITQUEUE_COVER";

    private readonly Type _class = inner.GetType();
    private readonly ConcurrentDictionary<string, byte> _called = new();

    /// <summary>Makes it this process's platform, if the environment asks for it. Nothing was opened yet.</summary>
    public static void UseIfAsked()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } path)
        {
            var covered = new CoveredPlatform(CurrentPlatform.Instance);
            AppDomain.CurrentDomain.ProcessExit += (_, _) => covered.Write(path);
            CurrentPlatform.Instance = covered;
        }
    }

    private void Write(string path)
    {
        const BindingFlags own = BindingFlags.DeclaredOnly | BindingFlags.Instance | BindingFlags.Public;
        IEnumerable<string> all = _class.GetMethods(own).Select(static method => method.Name.Replace("get_", "")).Distinct();
        File.AppendAllLines(path, [.. all.Select(static name => "has " + name), .. _called.Keys.Select(static name => "called " + name)]);
    }

    protected override IPlatform On(string method)
    {
        _called.TryAdd(method, 0);
        return base.On(method);
    }
}
