using System.Runtime.CompilerServices;
using VerifyTests;

namespace BlitQueue.Generator.Tests.Snapshots;

/// <summary>Sets up the real Verify; compiled only where UseVerify is true.</summary>
internal static class VerifyInit
{
    [ModuleInitializer]
    public static void Initialize()
    {
        VerifierSettings.UseUtf8NoBom();
        VerifySourceGenerators.Initialize();
    }
}
