using System.Runtime.CompilerServices;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Memory;

/// <summary>Runs all tests under Windows' rules where BLITQUEUE_STRICT asks for it.</summary>
internal static class StrictModule
{
    [ModuleInitializer]
    public static void Use() => StrictPlatform.UseIfAsked();
}
