using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>
/// What Windows and macOS have in common: the calls that .NET has for both, no fence, and sleeping by bounded polling where there is no
/// better way.
/// </summary>
internal abstract class ManagedPlatform : IPlatform
{
    private static readonly TimeSpan LongestSleep = TimeSpan.FromMilliseconds(1);

    // Reading many words takes longer. The sleep gets one millisecond more for so many words, so that reading takes a small share of a
    // processor.
    private const int WordsPerMillisecond = 4;

    private const int ZerosAtOnce = 1 << 20;

    // Any number would do, because the sleep does not read the words: the caller does.
    public virtual int MostWords => 128;

    // On both systems each user has a temporary directory of their own.
    public virtual string UserId => Environment.UserName;

    public abstract string BootId { get; }

    // Both systems have it; each volume can be set up otherwise, which no call here asks for.
    public virtual bool IgnoresCase => true;

    public virtual bool ReplacesMapped => true;

    public virtual bool RenamesDirectoriesInUse => true;

    // macOS's own call that refuses links is not declared here. The code checks before it opens, so a user who may write to the directory
    // may put a link there in between.
    public virtual SafeFileHandle OpenFile(string path, FileMode mode, FileAccess access, UnixFileMode rights, bool isTemporary)
    {
        if (new FileInfo(path).LinkTarget is not null)
        {
            throw new IrregularFileException("a link");
        }
        if (KindOf(path) == PathKind.Directory)
        {
            throw new IrregularFileException("a directory");
        }
        var options = new FileStreamOptions
        {
            Mode = mode,
            Access = access,
            Share = FileShare.ReadWrite | FileShare.Delete,
            BufferSize = 0,
        };
        if (mode != FileMode.Open && !OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = rights;
        }
        // The stream is only the way to a handle with the right create mode; the handle outlives it.
        var stream = new FileStream(path, options);
        GC.SuppressFinalize(stream);
        return stream.SafeFileHandle;
    }

    public abstract bool TryLockByte(SafeFileHandle file, long offset);

    // Neither system is known to let waiters in in order, so this tries again each millisecond.
    public void LockByte(SafeFileHandle file, long offset)
    {
        while (!TryLockByte(file, offset))
        {
            Thread.Sleep(LongestSleep);
        }
    }

    public abstract bool UnlockByte(SafeFileHandle file, long offset);

    public abstract bool IsByteLocked(SafeFileHandle file, long offset);

    public virtual bool IsAnyByteLocked(SafeFileHandle file, long offset, int count) =>
        Enumerable.Range(0, count).Any(i => IsByteLocked(file, offset + i));

    public virtual bool IsAnyByteLockedElsewhere(SafeFileHandle file, long offset, int count) => false;

    public abstract void Preallocate(SafeFileHandle file, long size);

    public bool TryReserve(SafeFileHandle file, long size, long offset, long length) => false;

    public bool HasHoles(SafeFileHandle file, long length) => false;

    public long EndOfData(SafeFileHandle file, long offset) => offset;

    public void PreallocateInMemory(SafeFileHandle file, long size) => Preallocate(file, size);

    public (UnixFileMode Mode, uint? Group)? RightsOf(string path) =>
        OperatingSystem.IsWindows() || KindOf(path) != PathKind.File ? null : (File.GetUnixFileMode(path), null);

    public void TrySetGroup(SafeFileHandle file, uint group)
    {
    }

    public bool IsWrittenInPlace(SafeFileHandle file) => false;

    public bool IsShared(SafeFileHandle file, long offset, long length) => false;

    public bool TryMakePrivate(SafeFileHandle file, long offset, long length) => false;

    public virtual bool TryName(string path, string name) => TryMove(path, name);

    public virtual void Replace(string path, string name) => File.Move(path, name, overwrite: true);

    public virtual bool Delete(string path, string? aside = null)
    {
        File.Delete(path);
        return true;
    }

    public virtual FileView Map(SafeFileHandle file, long length, bool isWritten) => ManagedView.Of(file, length, isWritten);

    public bool TryPopulate(nint address, long length, bool inMemory) => false;

    public virtual GrowingMemory? TryReserve(long most) => null;

    public abstract void SyncRange(FileView view, nint address, long length);

    public abstract void SyncDirectory(string path);

    public virtual void Wait(nint address, int expected, TimeSpan timeout) => Thread.Sleep(timeout < LongestSleep ? timeout : LongestSleep);

    public virtual void WaitAny(ReadOnlySpan<ExpectedWord> words, TimeSpan timeout) => Poll(words.Length, timeout);

    public virtual void WakeAll(nint address, int left)
    {
    }

    public bool JoinHeavyFence() => false;

    public bool TryHeavyFence() => false;

    public virtual bool MayRun(int process) => true;

    public virtual void MakePrivateDirectory(string path) => Directory.CreateDirectory(path);

    public abstract bool IsPrivateDirectory(string path);

    public bool TrySetModified(string path, long seconds)
    {
        try
        {
            File.SetLastWriteTimeUtc(path, DateTime.UnixEpoch.AddSeconds(seconds));
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    public bool IsThere(string path) => KindOf(path) != PathKind.Nothing || new FileInfo(path).LinkTarget is not null;

    public PathKind KindOf(string path)
    {
        try
        {
            return (File.GetAttributes(path) & FileAttributes.Directory) != 0 ? PathKind.Directory : PathKind.File;
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return PathKind.Nothing;
        }
    }

    public virtual bool IsWithin(string path, string directory)
    {
        if (!IsThere(path) || !IsThere(directory))
        {
            return false;
        }
        StringComparison comparison = OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
        return (RealPath(path) + Path.DirectorySeparatorChar).StartsWith(RealPath(directory) + Path.DirectorySeparatorChar, comparison);
    }

    // Resolves the links on the way.
    private static string RealPath(string path)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        if (Path.GetDirectoryName(full) is not { } parent)
        {
            return full;
        }
        string here = Path.Combine(RealPath(parent), Path.GetFileName(full));
        return TargetOf(here) is { } target ? RealPath(target.FullName) : here;
    }

    // Where nothing has the name, .NET throws on Windows alone.
    private static FileSystemInfo? TargetOf(string path)
    {
        try
        {
            return new DirectoryInfo(path).ResolveLinkTarget(returnFinalTarget: true);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    public virtual bool? LeadsTo(string path, SafeFileHandle file) => null;

    public virtual int LooksInFiveMilliseconds => 1000;

    public virtual byte[]? IdentityOf(string path) => null;

    public virtual byte[]? IdentityOf(SafeFileHandle file) => null;

    public bool TryLockDirectory(string path, out SafeFileHandle? held)
    {
        held = null;
        return true;
    }

    public virtual SafeFileHandle? PreserveName(string path) => null;

    public void ReadAhead(nint address, long length)
    {
    }

    /// <summary>
    /// Sleeps, if the kernel cannot wait on several words, until the caller should look again: one millisecond, more for many words.
    /// </summary>
    public static void Poll(int words, TimeSpan timeout)
    {
        var sleep = TimeSpan.FromMilliseconds(Math.Max(1, words / WordsPerMillisecond));
        Thread.Sleep(timeout < sleep ? timeout : sleep);
    }

    /// <summary>
    /// Gives a file a name that no other file has, with .NET's calls: one call of the system on Windows; elsewhere a second name, after
    /// which the first is removed.
    /// </summary>
    /// <returns>false if another file has that name.</returns>
    public static bool TryMove(string path, string name)
    {
        try
        {
            File.Move(path, name, overwrite: false);
            return true;
        }
        catch (IOException) when (Path.Exists(name))
        {
            return false;
        }
    }

    /// <summary>Reserves a file's blocks by writing zeros from its start, for file systems that have no call for it.</summary>
    /// <exception cref="DiskFullException">There is no room for them.</exception>
    public static void WriteZeros(SafeFileHandle file, long size)
    {
        byte[] zeros = new byte[(int)Math.Min(ZerosAtOnce, size)];
        try
        {
            for (long offset = 0; offset < size; offset += zeros.Length)
            {
                RandomAccess.Write(file, zeros.AsSpan(0, (int)Math.Min(zeros.Length, size - offset)), offset);
            }
        }
        catch (Exception exception) when (exception is ArgumentOutOfRangeException
            || (exception is IOException refusal && (!OperatingSystem.IsWindows() || DiskFullException.Is(refusal))))
        {
            throw new DiskFullException($"No room for {size} bytes ({exception.Message}).");
        }
    }
}
