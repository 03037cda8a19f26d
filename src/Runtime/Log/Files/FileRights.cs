using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// Which users may use the files of a queue, a store or lanes. Its maker decides; its first file has these rights, and each file that any
/// user makes later gets the same.
/// </summary>
/// <param name="Mode">Read and write, for owner, group and others.</param>
/// <param name="Group">The group's number; null where it is the maker's.</param>
internal readonly record struct FileRights(UnixFileMode Mode, uint? Group)
{
    /// <summary>The rights where the options name no others.</summary>
    public const UnixFileMode OwnerAlone = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    // Each directory of a queue, a store or lanes has one of them.
    private static readonly string[] FirstFiles = [StoreFormat.MetaName, TransactionFormat.FileName, LanesMeta.Name];

    /// <summary>
    /// The rights of the queue, store or lanes in a directory. Where there is none yet: the rights asked for, or else those of the store or
    /// lanes that the directory is in.
    /// </summary>
    public static FileRights Of(string directory, UnixFileMode? asked) => InDirectory(directory)
        ?? (asked is null && Path.GetDirectoryName(Path.TrimEndingDirectorySeparator(directory)) is { } above
            ? InDirectory(above)
            : null)
        ?? new FileRights(asked ?? OwnerAlone, Group: null);

    /// <summary>Compares what is asked for with what a directory of ours has.</summary>
    /// <exception cref="ArgumentException">They differ.</exception>
    public static void Require(string directory, UnixFileMode? asked)
    {
        if (asked is { } mode && !OperatingSystem.IsWindows() && InDirectory(directory) is { } there && mode != there.Mode)
        {
            string first = Array.Find(FirstFiles, name => CurrentPlatform.Instance.IsThere(Path.Combine(directory, name)))!;
            throw new ArgumentException(
                $"{directory} was made with FileMode {there.Mode}, and was opened with {mode}. All files in it have the rights of {first}. "
                + "Open it without a FileMode, to take what is there; to change the rights, change those of all files.");
        }
    }

    /// <summary>Whether a directory is in a queue, a store or lanes, whose rights it has.</summary>
    public static bool AreOfDirectoryAbove(string directory) =>
        Path.GetDirectoryName(Path.TrimEndingDirectorySeparator(directory)) is { } above
        && Array.Exists(FirstFiles, name => CurrentPlatform.Instance.IsThere(Path.Combine(above, name)));

    private static FileRights? InDirectory(string directory)
    {
        foreach (string name in FirstFiles)
        {
            if (CurrentPlatform.Instance.RightsOf(Path.Combine(directory, name)) is { } rights)
            {
                return new FileRights(rights.Mode | OwnerAlone, rights.Group);
            }
        }
        return null;
    }
}
