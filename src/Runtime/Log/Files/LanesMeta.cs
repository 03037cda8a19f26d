using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// The text file <c>lanes.meta</c>, which makes a directory one of lanes and says how many there are. It is written once. Each lane is a
/// queue in a subdirectory of its own; <c>lane-0</c> is the most urgent.
/// </summary>
internal static class LanesMeta
{
    public const string Name = "lanes.meta";

    /// <summary>The largest number of lanes: a thread can sleep on all of them at once, and on a few words more.</summary>
    public const int Most = 64;

    private const string Title = "BlitQueue lanes 1", CountKey = "count";

    public static string LaneName(int lane) => string.Create(CultureInfo.InvariantCulture, $"lane-{lane}");

    /// <summary>
    /// Joins the lanes in a directory, and makes directory and lanes where they do not exist: as many as asked for, or, for null, as many
    /// as there are, or the default. The caller makes the lanes' queues.
    /// </summary>
    /// <returns>The directory, absolute, and how many there are.</returns>
    /// <exception cref="ArgumentException">There is another number of them.</exception>
    /// <exception cref="QueueException">The path cannot be a directory of lanes.</exception>
    public static (string Directory, int Count) Join(string path, int? count, int otherwise, UnixFileMode? fileMode, Patience patience) =>
        SystemFailure.Told(path, () =>
        {
            patience.Token.ThrowIfCancellationRequested();
            var directory = QueueDirectory.Prepare(path, fileMode, Name);
            var files = new QueueFiles(directory.Path, fileMode);
            using var opening = OpeningLock.Take(files, patience);
            FileRights.Require(directory.Path, fileMode);
            int there = files.Exists(Name) ? Read(files) : Make(files, count ?? otherwise, patience);
            return count is null || count == there
                ? (directory.Path, there)
                : throw new ArgumentException(
                    $"{directory.Path} has {there} lanes; {count} were asked for. Their number is fixed when they are made.");
        });

    private static int Make(QueueFiles files, int count, Patience patience)
    {
        if (files.Exists(StoreFormat.MetaName))
        {
            throw new QueueException($"{files.Directory} is a queue. Lanes are several: give them a directory of their own.")
            { Reason = QueueError.NotAQueue, Path = files.Directory };
        }
        QueueDeletion.CompleteIfMarked(files, patience);
        QueueDirectory.RefuseContent(files, Name);
        using SafeFileHandle file = files.CreateUnfinished(Name);
        QueueFiles.Write(file, Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{Title}\n{CountKey} {count}\n")), 0);
        files.Finish(Name, file);
        return count;
    }

    private static int Read(QueueFiles files)
    {
        string[] lines = files.ReadText(Name).TrimEnd('\n').Split('\n');
        string[] parts = lines.Length == 2 && lines[0] == Title ? lines[1].Split(' ') : [];
        return parts is [CountKey, var number] && int.TryParse(number, CultureInfo.InvariantCulture, out int count)
            && count is >= 1 and <= Most
            ? count
            : throw new QueueCorruptException(files.PathOf(Name), 0,
                $"it should be the line '{Title}' and the number of lanes. Write it again by hand: the number is that of the directories "
                    + "lane-0, lane-1 and so on.");
    }
}
