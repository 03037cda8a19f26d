using System.Runtime.CompilerServices;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Memory;

/// <summary>
/// Runs all tests under Windows' rules where BLITQUEUE_STRICT asks for it, and notes what of the platform they use where BLITQUEUE_COVER
/// does.
/// </summary>
internal static class PlatformModule
{
    [ModuleInitializer]
    public static void Use()
    {
        StrictPlatform.UseIfAsked();
        CoveredPlatform.UseIfAsked();
    }
}
