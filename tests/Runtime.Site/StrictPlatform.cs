using System.Collections.Concurrent;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Linux by the rules of Windows that Wine does not enforce: no data is read where a byte is locked, and no mapped file is deleted,
/// replaced or cut. The environment variable BLITQUEUE_STRICT switches it on: <c>1</c>, or <c>locks</c> or <c>deletions</c> to put back the
/// mistake that the rule is against. It knows what its own process has locked and mapped, not others.
/// </summary>
internal sealed class StrictPlatform(long firstLock = WindowsPlatform.FirstLock, bool setsAside = true) : LinuxPlatform
{
    public const string Variable = "BLITQUEUE_STRICT", WrongLocks = "locks", WrongDeletions = "deletions";

    private const int LockViolation = 33;

    // By the identities of files: how often each is mapped, and which bytes are locked.
    private readonly ConcurrentDictionary<string, int> _mapped = new();
    private readonly ConcurrentDictionary<string, ConcurrentDictionary<long, byte>> _locked = new();

    /// <summary>Makes it this process's platform, if the environment asks for it. Nothing was opened yet.</summary>
    public static void UseIfAsked()
    {
        if (OperatingSystem.IsLinux() && Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } asked)
        {
            CurrentPlatform.Instance = asked switch
            {
                WrongLocks => new StrictPlatform(firstLock: 0),
                WrongDeletions => new StrictPlatform(setsAside: false),
                _ => new StrictPlatform(),
            };
        }
    }

    public override bool TryLockByte(SafeFileHandle file, long offset) => base.TryLockByte(file, firstLock + offset) && Noted(file, offset);

    public override void LockByte(SafeFileHandle file, long offset)
    {
        base.LockByte(file, firstLock + offset);
        Noted(file, offset);
    }

    public override bool UnlockByte(SafeFileHandle file, long offset)
    {
        if (_locked.TryGetValue(Identity(file), out ConcurrentDictionary<long, byte>? bytes))
        {
            bytes.TryRemove(firstLock + offset, out _);
        }
        return base.UnlockByte(file, firstLock + offset);
    }

    public override bool IsAnyByteLocked(SafeFileHandle file, long offset, int count) =>
        base.IsAnyByteLocked(file, firstLock + offset, count);

    // Seen from Windows, Linux is the other system: it locks the bytes themselves.
    public override bool IsAnyByteLockedElsewhere(SafeFileHandle file, long offset, int count) =>
        base.IsAnyByteLocked(file, offset, count);

    private bool Noted(SafeFileHandle file, long offset)
    {
        _locked.GetOrAdd(Identity(file), static _ => new())[firstLock + offset] = 0;
        return true;
    }

    // On Windows the reading that follows is what fails.
    public override SafeFileHandle OpenFile(
        string path, FileMode mode, FileAccess access, UnixFileMode rights, bool isTemporary = false)
    {
        SafeFileHandle file = base.OpenFile(path, mode, access, rights, isTemporary);
        if (_locked.TryGetValue(Identity(file), out ConcurrentDictionary<long, byte>? bytes)
            && RandomAccess.GetLength(file) is var length && bytes.Keys.Any(offset => offset < length && IsLockedByAnother(file, offset)))
        {
            file.Dispose();
            throw new IOException($"{path}: a locked byte is within the file: Windows would refuse to read it.", LockViolation);
        }
        return file;
    }

    private bool IsLockedByAnother(SafeFileHandle file, long offset) => base.IsAnyByteLocked(file, offset, 1);

    public override bool ReplacesMapped => false;

    public override bool? LeadsTo(string path, SafeFileHandle file) => null;

    public override FileView Map(SafeFileHandle file, long length, bool isWritten)
    {
        string identity = Identity(file);
        FileView view = base.Map(file, length, isWritten);
        _mapped.AddOrUpdate(identity, 1, static (_, views) => views + 1);
        return new CountedView(view, () => _mapped.AddOrUpdate(identity, 0, static (_, views) => views - 1));
    }

    public override void Preallocate(SafeFileHandle file, long size)
    {
        if (RandomAccess.GetLength(file) > size)
        {
            Refuse(IsMapped(IdentityOf(file)), "cut", "an open file");
        }
        base.Preallocate(file, size);
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
        TryName(path, aside!);
        return false;
    }

    private static void Refuse(bool isMapped, string what, string path)
    {
        if (isMapped)
        {
            throw new UnauthorizedAccessException($"{path}: it is mapped, so Windows would not let it be {what}.");
        }
    }

    private bool IsMappedAt(string path) => IsThere(path) && IsMapped(IdentityOf(path));

    private bool IsMapped(byte[]? identity) => identity is not null && _mapped.GetValueOrDefault(Convert.ToHexString(identity)) > 0;

    private string Identity(SafeFileHandle file) => IdentityOf(file) is { } identity ? Convert.ToHexString(identity) : "";

    private sealed class CountedView(FileView view, Action ended) : FileView(view.Address)
    {
        private int _isOver;

        public override void Dispose()
        {
            view.Dispose();
            End();
        }

        public override void Detach()
        {
            view.Detach();
            End();
        }

        private void End()
        {
            if (Interlocked.Exchange(ref _isOver, 1) == 0)
            {
                ended();
            }
        }
    }
}
