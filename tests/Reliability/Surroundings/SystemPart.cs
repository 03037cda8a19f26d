using System.Diagnostics;
using BlitQueue.Reliability.Disk;
using BlitQueue.Reliability.Native;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>One thing that a system may be or become, tried in a process of its own.</summary>
/// <param name="Name">For the command line and reports.</param>
/// <param name="Act">What is done, in a directory.</param>
/// <param name="HasMounts">The process has mounts of its own.</param>
/// <param name="IsIntercepted">Its calls of the C library are intercepted.</param>
internal sealed record SystemPart(string Name, Action<string> Act, bool HasMounts = false, bool IsIntercepted = false)
{
    public static IReadOnlyList<SystemPart> All { get; } =
    [
        new("descriptors", Descriptors.Run),
        new("file-lengths", FileLengths.Run),
        new("read-only", ReadOnlyDisk.BeforeOpening, HasMounts: true),
        new("read-only-meanwhile", ReadOnlyDisk.Meanwhile, HasMounts: true),
        new("read-only-by-error", ReadOnlyDisk.ByError, HasMounts: true),
        new("another-user", AnotherUser.Run, HasMounts: true),
        new("pid-1", Namespaces.Run, HasMounts: true),
        new("clock-forward", static root => WrongClock.Run(root, mode: 1, TimeSpan.FromDays(1)), IsIntercepted: true),
        new("clock-back", static root => WrongClock.Run(root, mode: 1, TimeSpan.FromDays(-1)), IsIntercepted: true),
        new("clock-frozen", static root => WrongClock.Run(root, mode: 2, TimeSpan.Zero), IsIntercepted: true),
        new("truncated-segment", static root => Truncation.Run(root, "segment-0000000000000000", 8192)),
        new("truncated-control", static root => Truncation.Run(root, "queue.control", 0)),
        new("truncated-subscription", static root => Truncation.Run(root, "subscription-default", 0)),
        new("renamed-directory", LostDirectory.Renamed),
        new("deleted-directory", LostDirectory.Deleted),
        new("replaced-directory", LostDirectory.Replaced),
    ];

    /// <summary>Why it cannot be tried here; null where it can.</summary>
    public string? Hindrance => HasMounts ? MountSpace.Hindrance : IsIntercepted ? CallsLibrary.Hindrance : null;

    public ProcessStartInfo StartInfo(string seed)
    {
        ProcessStartInfo start = IsIntercepted ? CallsLibrary.StartInfo(SystemCampaign.Worker, Name, seed)
            : SelfProcess.Wrapped(HasMounts ? MountSpace.Wrapper : [], SystemCampaign.Worker, Name, seed);
        // A thread opens files when it starts. Without descriptors the runtime ends the process then ("Out of memory."),
        // which no library can help: the pool keeps the threads that it has, where it would let them go after 20 s
        // without work, and the compiler needs none.
        start.Environment["DOTNET_ThreadPool_ThreadTimeoutMs"] = "-1";
        start.Environment["DOTNET_TieredCompilation"] = "0";
        return start;
    }
}
