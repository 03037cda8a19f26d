using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// Which users may use the files of a queue, a store or lanes: as its maker said. Its first file bears it, and whatever is made later,
/// by whichever user, gets the same.
/// </summary>
/// <param name="Mode">Read and write, for owner, group and others.</param>
/// <param name="Group">The group's number; null where it is the maker's.</param>
internal readonly record struct FileRights(UnixFileMode Mode, uint? Group)
{
    /// <summary>What nobody has said anything else for.</summary>
    public const UnixFileMode OwnerAlone = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    // In each directory that is something of ours there is one of them.
    private static readonly string[] FirstFiles = [StoreFormat.MetaName, TransactionFormat.FileName, LanesMeta.Name];

    /// <summary>
    /// Those of what stands in a directory; where nothing does yet, of what the directory is in, unless others were asked for.
    /// </summary>
    public static FileRights Of(string directory, UnixFileMode asked) => InDirectory(directory)
        ?? (asked == OwnerAlone && Path.GetDirectoryName(Path.TrimEndingDirectorySeparator(directory)) is { } above
            ? InDirectory(above)
            : null)
        ?? new FileRights(asked, Group: null);

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
