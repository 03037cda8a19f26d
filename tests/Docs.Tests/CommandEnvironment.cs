using System.Diagnostics;

namespace BlitQueue.Docs;

/// <summary>What commands find in their environment.</summary>
internal static class CommandEnvironment
{
    // English, quiet, and no server that outlives the command with its output open.
    private static readonly (string Name, string Value)[] Settings =
    [
        ("DOTNET_CLI_UI_LANGUAGE", "en"), ("DOTNET_NOLOGO", "1"), ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
        ("MSBUILDTERMINALLOGGER", "off"), ("MSBUILDDISABLENODEREUSE", "1"), ("DOTNET_CLI_USE_MSBUILD_SERVER", "0"),
    ];

    // What the test host tells its own runtime is not meant for others.
    private static readonly string[] Foreign = ["MSBUILD_EXE_PATH", "MSBuildSDKsPath", "MSBuildExtensionsPath", "DOTNET_HOST_PATH"];

    public static void Set(ProcessStartInfo start, IReadOnlyDictionary<string, string>? more)
    {
        Array.ForEach(Foreign, name => start.Environment.Remove(name));
        foreach ((string name, string value) in Settings)
        {
            start.Environment[name] = value;
        }
        foreach ((string name, string value) in more ?? new Dictionary<string, string>())
        {
            start.Environment[name] = value;
        }
    }
}
