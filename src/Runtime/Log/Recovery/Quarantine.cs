using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// The findings of one recovery or repair, and the directory for damaged files, which is made with the first of them. Nothing in it is ever
/// overwritten or deleted.
/// </summary>
/// <remarks>
/// Findings are written to the report before anything changes. If a recovery is killed before its report is complete, the next one
/// continues that report, so that no finding is lost.
/// </remarks>
internal sealed class Quarantine
{
    private const string ReportName = "report.txt", ReportTitle = "BlitQueue recovery 1", Unfinished = "unfinished";

    // A line that earlier versions of the library skip, because it does not have six parts.
    private const string DurationKey = "duration";

    private readonly long _started = Stopwatch.GetTimestamp();
    private readonly QueueFiles _files;

    public Quarantine(QueueFiles files)
    {
        _files = files;
        if (ReadLast(files.Directory, out bool isComplete) is { } begun && !isComplete)
        {
            Directory = begun.SetAside[0];
            Findings.AddRange(begun.Findings);
        }
    }

    /// <summary>The directory; null as long as nothing was set aside.</summary>
    public string? Directory { get; private set; }

    /// <summary>What was found, in order.</summary>
    public List<RecoveryFinding> Findings { get; } = [];

    /// <summary>Adds a finding about a file as a whole.</summary>
    public void Found(string name, string what) => Add(new RecoveryFinding(_files.PathOf(name), 0, 0, what));

    /// <summary>Adds a finding about a range of the log; one that begins where the last finding ends is joined to it.</summary>
    public void Found(string name, long position, long offset, long bytes, string what, long messages)
    {
        var finding = new RecoveryFinding(_files.PathOf(name), offset, bytes, what)
        {
            Position = new QueuePosition(position),
            MessageCount = messages,
        };
        if (Findings is [.., var last] && last.File == finding.File && last.What == what && last.Offset + last.Bytes == offset
            && last.Position is not null)
        {
            finding = last with { Bytes = last.Bytes + bytes, MessageCount = last.MessageCount + messages };
            Findings.RemoveAt(Findings.Count - 1);
        }
        Add(finding);
    }

    private void Add(RecoveryFinding finding)
    {
        if (!Findings.Contains(finding))
        {
            Findings.Add(finding);
            // Writes all findings each time, and therefore, if there are many, only now and then.
            if (Findings.Count % (1 + (Findings.Count / 100)) == 0)
            {
                Write(Unfinished, Duration);
            }
        }
    }

    /// <summary>The report, which is also written into the directory; null if nothing was found.</summary>
    /// <param name="messages">How many messages the log has.</param>
    /// <exception cref="QueueFullException">The disk has no room for it.</exception>
    public RecoveryReport? Report(long messages)
    {
        if (Findings.Count == 0)
        {
            return null;
        }
        TimeSpan duration = Duration;
        Write(messages.ToString(CultureInfo.InvariantCulture), duration);
        return new RecoveryReport
        {
            Path = _files.Directory,
            Findings = Findings,
            SetAside = [Directory!],
            MessageCount = messages,
            Duration = duration,
        };
    }

    /// <summary>The time since the beginning.</summary>
    public TimeSpan Duration => Stopwatch.GetElapsedTime(_started);

    private void Write(string messages, TimeSpan duration)
    {
        string path = Path.Combine(Directory ??= MakeDirectory(), ReportName), written = path + StoreFormat.UnfinishedSuffix;
        try
        {
            IEnumerable<string> lines = Findings
                .Select(static found => string.Create(CultureInfo.InvariantCulture,
                    $"{Path.GetFileName(found.File)}\t{found.Offset}\t{found.Bytes}\t{found.Position}\t{found.MessageCount}\t{found.What}"))
                .Prepend($"{ReportTitle}\t{messages}")
                .Append(string.Create(CultureInfo.InvariantCulture, $"{DurationKey}\t{duration.Ticks}"));
            CurrentPlatform.Instance.Delete(written);
            using (SafeFileHandle file = _files.CreateAt(written))
            {
                QueueFiles.Write(file, Encoding.UTF8.GetBytes(string.Join('\n', lines) + '\n'), 0);
            }
            CurrentPlatform.Instance.Replace(written, path);
        }
        catch (IOException exception) when (DiskFullException.Is(exception))
        {
            throw new QueueFullException(
                $"{path}: the disk has no room for it. Free disk space, then open or repair the queue again.", exception)
            { Path = path };
        }
    }

    /// <summary>
    /// The report of the last recovery or repair of a queue, as long as its directory exists; null if there is none.
    /// </summary>
    public static RecoveryReport? LastReport(string queue) => ReadLast(queue, out _);

    /// <exception cref="QueueException">The directory is gone, or the system has no descriptor left to look into it.</exception>
    private static RecoveryReport? ReadLast(string queue, out bool isComplete)
    {
        isComplete = false;
        if (LinesOfLast(queue) is not (var aside, [var title, .. var lines]) || title.Split('\t') is not [ReportTitle, var messages])
        {
            return null;
        }
        isComplete = long.TryParse(messages, CultureInfo.InvariantCulture, out long count);
        return new RecoveryReport
        {
            Path = queue,
            SetAside = [aside],
            MessageCount = count,
            Duration = lines.Select(static line => line.Split('\t')).Where(static parts => parts is [DurationKey, _])
                .Select(
                    static parts => long.TryParse(parts[1], CultureInfo.InvariantCulture, out long ticks) ? new TimeSpan(ticks) : default)
                .LastOrDefault(),
            Findings = [.. lines.Select(static line => line.Split('\t')).Where(static parts => parts.Length == 6)
                .Select(parts => FindingOf(queue, parts))],
        };
    }

    /// <exception cref="QueueException">The directory is gone, or the system has no descriptor left to look into it.</exception>
    private static (string Aside, string[] Lines)? LinesOfLast(string queue)
    {
        try
        {
            string? aside = System.IO.Directory.EnumerateDirectories(queue, StoreFormat.AsidePrefix + "*").Max(StringComparer.Ordinal);
            string path = aside is null ? "" : Path.Combine(aside, ReportName);
            return aside is not null && CurrentPlatform.Instance.IsFile(path) ? (aside!, File.ReadAllLines(path)) : null;
        }
        catch (UnauthorizedAccessException)
        {
            // Another user's directory, made by an earlier version, cannot be read: there is no report.
            return null;
        }
        catch (IOException exception)
        {
            throw SystemFailure.Of(queue, exception);
        }
    }

    private static RecoveryFinding FindingOf(string queue, string[] parts) =>
        new(
            Path.Combine(queue, parts[0]), long.Parse(parts[1], CultureInfo.InvariantCulture),
            long.Parse(parts[2], CultureInfo.InvariantCulture), parts[5])
        {
            Position = parts[3].Length == 0 ? null : new QueuePosition(long.Parse(parts[3], CultureInfo.InvariantCulture)),
            MessageCount = long.Parse(parts[4], CultureInfo.InvariantCulture),
        };

    /// <summary>Moves the file, directory or link of this name into the directory.</summary>
    public void Move(string name)
    {
        string from = _files.PathOf(name), to = FreePath(name);
        // Also for a link to a directory: the link itself is renamed.
        if (CurrentPlatform.Instance.IsDirectory(from))
        {
            System.IO.Directory.Move(from, to);
        }
        else
        {
            File.Move(from, to);
        }
        CurrentPlatform.Instance.SyncDirectory(Directory!);
    }

    /// <summary>Puts a copy of a file that is about to be repaired into the directory.</summary>
    /// <exception cref="QueueFullException">The disk has no room for it.</exception>
    public void Copy(string name)
    {
        try
        {
            using SafeFileHandle from = _files.OpenExisting(name);
            Copy(from, FreePath(name));
        }
        catch (IOException exception) when (DiskFullException.Is(exception))
        {
            throw new QueueFullException(
                $"{Directory}: the disk has no room to keep {name} there as it was. It was not changed. Free disk space, then open or "
                    + "repair the queue again.", exception)
            { Path = Directory };
        }
    }

    private void Copy(SafeFileHandle from, string path)
    {
        using SafeFileHandle to = _files.CreateAt(path);
        byte[] buffer = new byte[1 << 16];
        long offset = 0;
        for (int read; (read = RandomAccess.Read(from, buffer, offset)) > 0; offset += read)
        {
            QueueFiles.Write(to, buffer.AsSpan(0, read), offset);
        }
        RandomAccess.FlushToDisk(to);
        CurrentPlatform.Instance.SyncDirectory(Directory!);
    }

    private string FreePath(string name)
    {
        string path = Path.Combine(Directory ??= MakeDirectory(), name);
        for (int i = 2; CurrentPlatform.Instance.IsThere(path); i++)
        {
            path = Path.Combine(Directory, $"{name}-{i}");
        }
        return path;
    }

    private string MakeDirectory()
    {
        string path = _files.PathOf($"{StoreFormat.AsidePrefix}{DateTime.UtcNow:yyyyMMddTHHmmssfff}"), free = path;
        for (int i = 2; CurrentPlatform.Instance.IsThere(free); i++)
        {
            free = $"{path}-{i}";
        }
        QueueDirectory.MakeAll(free, _files.Mode);
        _files.SyncNames();
        return free;
    }
}
