using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Linux by the rules of Windows that Wine does not enforce: no data is read where a byte is locked, no mapped file is deleted, replaced or
/// cut, and no directory is renamed in which a file is open. The environment variable BLITQUEUE_STRICT switches it on: <c>1</c>, or
/// <c>locks</c> or <c>deletions</c> to put back the mistake that the rule is against.
/// </summary>
/// <remarks>
/// It sees what other processes have locked and mapped as well: each view has a lock of its own on a byte far behind the data, which ends
/// with its process. Not covered: a view that was detached, which Windows leaves mapped.
/// </remarks>
internal sealed class StrictPlatform(long firstLock = WindowsPlatform.FirstLock, bool setsAside = true) : LinuxPlatform
{
    public const string Variable = "BLITQUEUE_STRICT", WrongLocks = "locks", WrongDeletions = "deletions";

    /// <summary>The path of a file to which each refusal of this process's platform is added: the library survives some of them.</summary>
    public const string Refusals = "BLITQUEUE_REFUSALS";

    private const int LockViolation = 33;

    private string? _refusals;

    // In front of the locks, and behind every file's data.
    private const long MappedByte = WindowsPlatform.FirstLock / 2;

    // fcntl's F_OFD_SETLK, which takes a shared lock where the type is 0; open's O_CLOEXEC, for reading.
    private const int SetLock = 37, NotToChildren = 0x80000;

    /// <summary>Where the peers of a site tell what was refused to them.</summary>
    public static string RefusalsOf(string root) => Path.Combine(root, "refusals");

    /// <summary>Makes it this process's platform, if the environment asks for it. Nothing was opened yet.</summary>
    public static void UseIfAsked()
    {
        if (OperatingSystem.IsLinux() && Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } asked)
        {
            StrictPlatform platform = asked switch
            {
                WrongLocks => new StrictPlatform(firstLock: 0),
                WrongDeletions => new StrictPlatform(setsAside: false),
                _ => new StrictPlatform(),
            };
            platform._refusals = Environment.GetEnvironmentVariable(Refusals);
            CurrentPlatform.Instance = platform;
        }
    }

    public override bool TryLockByte(SafeFileHandle file, long offset) => base.TryLockByte(file, firstLock + offset);

    public override void LockByte(SafeFileHandle file, long offset) => base.LockByte(file, firstLock + offset);

    public override bool UnlockByte(SafeFileHandle file, long offset) => base.UnlockByte(file, firstLock + offset);

    public override bool IsAnyByteLocked(SafeFileHandle file, long offset, int count) =>
        base.IsAnyByteLocked(file, firstLock + offset, count);

    // Seen from Windows, Linux is the other system: it locks the bytes themselves.
    public override bool IsAnyByteLockedElsewhere(SafeFileHandle file, long offset, int count) =>
        base.IsAnyByteLocked(file, offset, count);

    // On Windows the reading that follows is what fails.
    public override SafeFileHandle OpenFile(
        string path, FileMode mode, FileAccess access, UnixFileMode rights, bool isTemporary = false)
    {
        SafeFileHandle file = base.OpenFile(path, mode, access, rights, isTemporary);
        if (RandomAccess.GetLength(file) is > 0 and var length && base.IsAnyByteLocked(file, 0, (int)Math.Min(length, int.MaxValue)))
        {
            file.Dispose();
            throw Refused(new IOException($"{path}: a locked byte is within the file: Windows would refuse to read it.", LockViolation));
        }
        return file;
    }

    public override bool ReplacesMapped => false;

    public override bool RenamesDirectoriesInUse => false;

    public override FileView Map(SafeFileHandle file, long length, bool isWritten)
    {
        SafeFileHandle mark = Marked(file);
        try
        {
            return new SyncedView(base.Map(file, length, isWritten), mark);
        }
        catch (IOException)
        {
            mark.Dispose();
            throw;
        }
    }

    // A handle of its own: the caller closes the other one while the file stays mapped. Where the process may open no more files, Windows
    // refuses as well.
    private static SafeFileHandle Marked(SafeFileHandle file)
    {
        var own = new SafeFileHandle(LibC.Open($"/proc/self/fd/{file.DangerousGetHandle()}", NotToChildren), ownsHandle: true);
        var shared = new LibC.FileLock { Start = MappedByte, Length = 1 };
        if (own.IsInvalid || LibC.FileControl(own, SetLock, ref shared) != 0)
        {
            int error = Marshal.GetLastPInvokeError();
            own.Dispose();
            throw new IOException($"A handle for the view was refused: {new Win32Exception(error).Message} (errno {error}).", error);
        }
        return own;
    }

    public override void Preallocate(SafeFileHandle file, long size)
    {
        if (RandomAccess.GetLength(file) > size)
        {
            Refuse(IsMapped(file), "cut", "an open file");
        }
        base.Preallocate(file, size);
    }

    public override bool TryName(string path, string name)
    {
        if (KindOf(path) == PathKind.Directory && FirstOpenIn(path) is { } open)
        {
            throw Refused(
                new UnauthorizedAccessException($"{path}: Windows renames no directory in which a file is open, as {open} is."));
        }
        return base.TryName(path, name);
    }

    public override void Replace(string path, string name)
    {
        Refuse(IsMappedAt(name), "replaced", name);
        base.Replace(path, name);
    }

    public override bool Delete(string path, string? aside = null)
    {
        if (!IsMappedAt(path))
        {
            return base.Delete(path, aside);
        }
        Refuse(aside is null || !setsAside, "deleted", path);
        try
        {
            TryName(path, aside!);
            return false;
        }
        catch (FileNotFoundException)
        {
            // Another process has deleted it since.
            return true;
        }
    }

    private void Refuse(bool isMapped, string what, string path)
    {
        if (isMapped)
        {
            throw Refused(new UnauthorizedAccessException($"{path}: it is mapped, so Windows would not let it be {what}."));
        }
    }

    // Tests that do on purpose what is refused do it with platforms of their own, or in peers that tell it elsewhere.
    private Exception Refused(Exception refusal)
    {
        if (_refusals is { Length: > 0 } path)
        {
            string caller = new StackTrace(skipFrames: 1, fNeedFileInfo: false).ToString().ReplaceLineEndings(" ");
            File.AppendAllText(path, $"{Environment.ProcessId}: {refusal.Message} {caller}\n");
        }
        return refusal;
    }

    private bool IsMappedAt(string path)
    {
        if (!IsThere(path))
        {
            return false;
        }
        try
        {
            using SafeFileHandle file = base.OpenFile(path, FileMode.Open, FileAccess.Read, default, isTemporary: false);
            return IsMapped(file);
        }
        catch (Exception exception) when (exception is UnauthorizedAccessException or FileNotFoundException or IrregularFileException)
        {
            // Deleted meanwhile, or nothing that is mapped; or the call that follows is refused anyway.
            return false;
        }
    }

    // The lock of a view that has ended lives on for a moment in a process that is being started, so the mappings themselves are asked too.
    private bool IsMapped(SafeFileHandle file) => base.IsAnyByteLocked(file, MappedByte, 1)
        && IdentityOf(file) is { } identity && IsInAnyMap($" {BitConverter.ToInt64(identity, sizeof(long))} ");

    // On a thread of its own, because tests count what the calling one allocates.
    private static bool IsInAnyMap(string inode)
    {
        bool found = false;
        var looking = new Thread(() => found = Directory.EnumerateDirectories("/proc")
            .Where(static process => char.IsAsciiDigit(Path.GetFileName(process)[0])).Any(process => IsInMap(process, inode)));
        looking.Start();
        looking.Join();
        return found;
    }

    private static bool IsInMap(string process, string inode)
    {
        try
        {
            return File.ReadLines(Path.Combine(process, "maps")).Any(line => line.Contains(inode, StringComparison.Ordinal));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It has ended meanwhile, or is another user's.
            return false;
        }
    }

    // Of this process: one that another has open there is missed.
    private static string? FirstOpenIn(string directory)
    {
        string below = Path.GetFullPath(directory) + Path.DirectorySeparatorChar;
        return Directory.EnumerateFiles("/proc/self/fd").Select(TargetOf)
            .FirstOrDefault(open => open?.StartsWith(below, StringComparison.Ordinal) == true);
    }

    private static string? TargetOf(string descriptor)
    {
        try
        {
            return File.ResolveLinkTarget(descriptor, returnFinalTarget: false)?.FullName;
        }
        catch (IOException)
        {
            // Closed meanwhile.
            return null;
        }
    }
}
