using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Processes;

/// <summary>Another platform, of which tests replace single methods.</summary>
internal abstract class PlatformAround(IPlatform inner) : IPlatform
{
    /// <summary>What a call of this method goes to.</summary>
    protected virtual IPlatform On(string method) => inner;

    public virtual bool TryLockByte(SafeFileHandle file, long offset) => On(nameof(TryLockByte)).TryLockByte(file, offset);

    public virtual void LockByte(SafeFileHandle file, long offset) => On(nameof(LockByte)).LockByte(file, offset);

    public virtual bool UnlockByte(SafeFileHandle file, long offset) => On(nameof(UnlockByte)).UnlockByte(file, offset);

    public virtual bool IsByteLocked(SafeFileHandle file, long offset) => On(nameof(IsByteLocked)).IsByteLocked(file, offset);

    public virtual bool IsAnyByteLocked(SafeFileHandle file, long offset, int count) =>
        On(nameof(IsAnyByteLocked)).IsAnyByteLocked(file, offset, count);

    public virtual bool IsAnyByteLockedElsewhere(SafeFileHandle file, long offset, int count) =>
        On(nameof(IsAnyByteLockedElsewhere)).IsAnyByteLockedElsewhere(file, offset, count);

    public virtual SafeFileHandle OpenFile(string path, FileMode mode, FileAccess access, UnixFileMode rights, bool isTemporary = false) =>
        On(nameof(OpenFile)).OpenFile(path, mode, access, rights, isTemporary);

    public virtual (UnixFileMode Mode, uint? Group)? RightsOf(string path) => On(nameof(RightsOf)).RightsOf(path);

    public virtual void TrySetGroup(SafeFileHandle file, uint group) => On(nameof(TrySetGroup)).TrySetGroup(file, group);

    public virtual void Preallocate(SafeFileHandle file, long size) => On(nameof(Preallocate)).Preallocate(file, size);

    public virtual bool TryReserve(SafeFileHandle file, long size, long offset, long length) =>
        On(nameof(TryReserve)).TryReserve(file, size, offset, length);

    public virtual bool HasHoles(SafeFileHandle file, long length) => On(nameof(HasHoles)).HasHoles(file, length);

    public virtual long EndOfData(SafeFileHandle file, long offset) => On(nameof(EndOfData)).EndOfData(file, offset);

    public virtual void PreallocateInMemory(SafeFileHandle file, long size) =>
        On(nameof(PreallocateInMemory)).PreallocateInMemory(file, size);

    public virtual bool IsWrittenInPlace(SafeFileHandle file) => On(nameof(IsWrittenInPlace)).IsWrittenInPlace(file);

    public virtual bool IsShared(SafeFileHandle file, long offset, long length) => On(nameof(IsShared)).IsShared(file, offset, length);

    public virtual bool TryMakePrivate(SafeFileHandle file, long offset, long length) =>
        On(nameof(TryMakePrivate)).TryMakePrivate(file, offset, length);

    public virtual bool TryName(string path, string name) => On(nameof(TryName)).TryName(path, name);

    public virtual void Replace(string path, string name) => On(nameof(Replace)).Replace(path, name);

    public virtual bool Delete(string path, string? aside = null) => On(nameof(Delete)).Delete(path, aside);

    public virtual bool ReplacesMapped => On(nameof(ReplacesMapped)).ReplacesMapped;

    public virtual bool RenamesDirectoriesInUse => On(nameof(RenamesDirectoriesInUse)).RenamesDirectoriesInUse;

    public virtual bool IgnoresCase => On(nameof(IgnoresCase)).IgnoresCase;

    public virtual FileView Map(SafeFileHandle file, long length, bool isWritten) => On(nameof(Map)).Map(file, length, isWritten);

    public virtual bool TryPopulate(nint address, long length, bool inMemory) =>
        On(nameof(TryPopulate)).TryPopulate(address, length, inMemory);

    public virtual GrowingMemory? TryReserve(long most) => On(nameof(TryReserve)).TryReserve(most);

    public virtual void SyncRange(FileView view, nint address, long length) => On(nameof(SyncRange)).SyncRange(view, address, length);

    public virtual void SyncDirectory(string path) => On(nameof(SyncDirectory)).SyncDirectory(path);

    public virtual void Wait(nint address, int expected, TimeSpan timeout) => On(nameof(Wait)).Wait(address, expected, timeout);

    public virtual int MostWords => On(nameof(MostWords)).MostWords;

    public virtual void WaitAny(ReadOnlySpan<ExpectedWord> words, TimeSpan timeout) => On(nameof(WaitAny)).WaitAny(words, timeout);

    public virtual void WakeAll(nint address, int left) => On(nameof(WakeAll)).WakeAll(address, left);

    public virtual bool JoinHeavyFence() => On(nameof(JoinHeavyFence)).JoinHeavyFence();

    public virtual bool TryHeavyFence() => On(nameof(TryHeavyFence)).TryHeavyFence();

    public virtual bool MayRun(int process) => On(nameof(MayRun)).MayRun(process);

    public virtual string UserId => On(nameof(UserId)).UserId;

    public virtual void MakePrivateDirectory(string path) => On(nameof(MakePrivateDirectory)).MakePrivateDirectory(path);

    public virtual bool IsPrivateDirectory(string path) => On(nameof(IsPrivateDirectory)).IsPrivateDirectory(path);

    public virtual bool TrySetModified(string path, long seconds) => On(nameof(TrySetModified)).TrySetModified(path, seconds);

    public virtual bool IsThere(string path) => On(nameof(IsThere)).IsThere(path);

    public virtual PathKind KindOf(string path) => On(nameof(KindOf)).KindOf(path);

    public virtual bool IsWithin(string path, string directory) => On(nameof(IsWithin)).IsWithin(path, directory);

    public virtual bool? LeadsTo(string path, SafeFileHandle file) => On(nameof(LeadsTo)).LeadsTo(path, file);

    public virtual int LooksInFiveMilliseconds => On(nameof(LooksInFiveMilliseconds)).LooksInFiveMilliseconds;

    public virtual byte[]? IdentityOf(string path) => On(nameof(IdentityOf)).IdentityOf(path);

    public virtual byte[]? IdentityOf(SafeFileHandle file) => On(nameof(IdentityOf)).IdentityOf(file);

    public virtual bool TryLockDirectory(string path, out SafeFileHandle? held) =>
        On(nameof(TryLockDirectory)).TryLockDirectory(path, out held);

    public virtual SafeFileHandle? PreserveName(string path) => On(nameof(PreserveName)).PreserveName(path);

    public virtual void ReadAhead(nint address, long length) => On(nameof(ReadAhead)).ReadAhead(address, length);

    public virtual string BootId => On(nameof(BootId)).BootId;
}
