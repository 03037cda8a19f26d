using System.Globalization;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// What makes a directory one of lanes: the text file <c>lanes.meta</c>, written once, that says how many there are. Each lane is a queue
/// in a directory of its own below, <c>lane-0</c> the most urgent.
/// </summary>
internal static class LanesMeta
{
    public const string Name = "lanes.meta";

    /// <summary>The most lanes: one thread can sleep on all of them at once, and on a few words more.</summary>
    public const int Most = 64;

    private const string Title = "BlitQueue lanes 1", CountKey = "count";

    public static string LaneName(int lane) => string.Create(CultureInfo.InvariantCulture, $"lane-{lane}");

    /// <summary>
    /// Joins the lanes in a directory, making both where they do not exist: so many, or, for null, as many as there are, or the default.
    /// The lanes' queues are the caller's to make.
    /// </summary>
    /// <returns>The directory, absolute, and how many there are.</returns>
    /// <exception cref="ArgumentException">There is another number of them.</exception>
    /// <exception cref="QueueException">The path cannot be a directory of lanes.</exception>
    public static (string Directory, int Count) Join(string path, int? count, int otherwise, UnixFileMode fileMode, TimeSpan patience) =>
        SystemFailure.Told(path, () =>
        {
            var directory = QueueDirectory.Prepare(path, fileMode, Name);
            var files = new QueueFiles(directory.Path, fileMode);
            using SafeFileHandle locks = OpeningLock.Take(files, patience).File;
            int there = files.Exists(Name) ? Read(files) : Make(files, count ?? otherwise);
            return count is null || count == there
                ? (directory.Path, there)
                : throw new ArgumentException(
                    $"{directory.Path} has {there} lanes; {count} were asked for. Their number is fixed when they are made.");
        });

    private static int Make(QueueFiles files, int count)
    {
        if (files.Exists(StoreFormat.MetaName))
        {
            throw new QueueException($"{files.Directory} is a queue. Lanes are several: give them a directory of their own.");
        }
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
