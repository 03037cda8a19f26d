using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>
/// What the queue needs of an operating system beyond .NET. Each system has one implementation; <see cref="CurrentPlatform"/> picks it. No
/// method is called for each message, except a wake-up when somebody sleeps.
/// </summary>
internal interface IPlatform
{
    /// <summary>
    /// Takes an exclusive lock on one byte of a file, without waiting. The handle holds it until <see cref="UnlockByte"/>, until the handle
    /// is closed, or until the process dies, whichever comes first; in the last two cases the kernel releases it. Two handles conflict even
    /// within one process.
    /// </summary>
    /// <returns>false when another handle holds it.</returns>
    bool TryLockByte(SafeFileHandle file, long offset);

    /// <summary>
    /// Takes a lock as <see cref="TryLockByte"/> does, and sleeps in the kernel until it is free. On Linux sleepers get it in the order in
    /// which they came, and releasing it wakes one of them. A sleeper that is stopped loses its turn.
    /// </summary>
    /// <exception cref="ObjectDisposedException">
    /// The handle was closed meanwhile. Closing it does not end the sleep: the call takes the
    /// lock, and releases it at once.
    /// </exception>
    void LockByte(SafeFileHandle file, long offset);

    /// <summary>
    /// Releases a byte lock of this handle. It throws nothing, because callers use it in clean-up, where it must not hide another
    /// exception.
    /// </summary>
    /// <returns>false if the system refuses even that: then closing the handle releases the lock.</returns>
    bool UnlockByte(SafeFileHandle file, long offset);

    /// <summary>Whether another handle, in any process, holds the lock on this byte.</summary>
    bool IsByteLocked(SafeFileHandle file, long offset);

    /// <summary>Whether another handle, in any process, holds the lock on any of so many bytes.</summary>
    bool IsAnyByteLocked(SafeFileHandle file, long offset, int count);

    /// <summary>
    /// Whether a process of another system on this machine holds the lock on any of so many bytes: under Wine one of Linux, and the other
    /// way round. They lock other bytes for the same purpose.
    /// </summary>
    bool IsAnyByteLockedElsewhere(SafeFileHandle file, long offset, int count);

    /// <summary>
    /// Opens a file, or makes it if the mode says so. It never follows a link at the path's end, and does not wait for the other end of a
    /// pipe.
    /// </summary>
    /// <param name="path">The file.</param>
    /// <param name="mode"><see cref="FileMode.Open"/>, <see cref="FileMode.OpenOrCreate"/> or <see cref="FileMode.CreateNew"/>.</param>
    /// <param name="access">Reading, or reading and writing.</param>
    /// <param name="rights">The rights of a new file, on Unix.</param>
    /// <param name="isTemporary">Whether the system need not write a new file to the disk as long as it has memory, on Windows.</param>
    /// <exception cref="IrregularFileException">A link, a directory, a pipe, a device or a socket has this name.</exception>
    SafeFileHandle OpenFile(string path, FileMode mode, FileAccess access, UnixFileMode rights, bool isTemporary = false);

    /// <summary>Who may use a file.</summary>
    /// <returns>null if there is no file, or the system knows no such rights.</returns>
    (UnixFileMode Mode, uint? Group)? RightsOf(string path);

    /// <summary>Gives a file to a group, if the file belongs to another group and the user may change that.</summary>
    void TrySetGroup(SafeFileHandle file, uint group);

    /// <summary>
    /// Gives the file its size in bytes with every block reserved, so that no later write through a mapping can find the disk full.
    /// </summary>
    /// <exception cref="DiskFullException">There is no room; the file's size may have changed, and the caller deletes the file.</exception>
    void Preallocate(SafeFileHandle file, long size);

    /// <summary>
    /// Gives a file its size in bytes, if it is shorter, and reserves blocks for a part of it. What is written there stays, so other
    /// processes may write to the file meanwhile.
    /// </summary>
    /// <returns>false if the system, or the file system, cannot reserve a part; nothing was reserved.</returns>
    /// <exception cref="DiskFullException">There is no room.</exception>
    bool TryReserve(SafeFileHandle file, long size, long offset, long length);

    /// <summary>
    /// Whether some of a file's first bytes have no blocks, as where a copying program leaves out zeros: a store there through a mapping
    /// needs one, and ends the process if there is none.
    /// </summary>
    /// <returns>
    /// false also if the system does not tell. true also on a file system that compresses the file, and does not tell where its bytes lie.
    /// </returns>
    bool HasHoles(SafeFileHandle file, long length);

    /// <summary>Where the last bytes end that were written in front of an offset, by whole blocks.</summary>
    /// <returns>0 where nothing was written; the offset also if the file system does not tell.</returns>
    long EndOfData(SafeFileHandle file, long offset);

    /// <summary>
    /// As <see cref="Preallocate"/>, for a file in memory; in pages of two megabytes as long as these come nearly as fast as small ones.
    /// </summary>
    void PreallocateInMemory(SafeFileHandle file, long size);

    /// <summary>
    /// Whether the file was made so that it is written in place, on a file system that otherwise writes each block to a new one.
    /// </summary>
    bool IsWrittenInPlace(SafeFileHandle file);

    /// <summary>Whether another file, a copy or a snapshot, shares some of a part's blocks: then a write there needs new blocks.</summary>
    /// <returns>false also if the file system does not tell.</returns>
    bool IsShared(SafeFileHandle file, long offset, long length);

    /// <summary>
    /// Gives a part of a file blocks of its own, so that no later write through a mapping can find the disk full. Others may write there
    /// meanwhile.
    /// </summary>
    /// <returns>false if the disk has no room for them, or the system has no way to do it.</returns>
    bool TryMakePrivate(SafeFileHandle file, long offset, long length);

    /// <summary>Renames a file in one step, unless another file has that name already.</summary>
    /// <returns>false if another file has the name.</returns>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    bool TryName(string path, string name);

    /// <summary>Renames a file in one step, and replaces the file that has the name.</summary>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    void Replace(string path, string name);

    /// <summary>Deletes a file, if it is there: afterwards its name is free.</summary>
    /// <param name="path">The file.</param>
    /// <param name="aside">
    /// A name in the same directory, for systems that do not delete a file while a process has it open or mapped: the file gets it, and a
    /// later call deletes the file. null if that is no help.
    /// </param>
    /// <returns>false if the file is still there, under the other name.</returns>
    bool Delete(string path, string? aside = null);

    /// <summary>Whether <see cref="Replace"/> replaces a file that a process has mapped.</summary>
    bool ReplacesMapped { get; }

    /// <summary>Whether a directory can be renamed while a file in it is open.</summary>
    bool RenamesDirectoriesInUse { get; }

    /// <summary>Whether names of files that differ in upper and lower case alone lead to the same file.</summary>
    bool IgnoresCase { get; }

    /// <summary>Maps the first bytes of a file that is at least that long.</summary>
    /// <param name="file">The file, opened at least for that.</param>
    /// <param name="length">Bytes.</param>
    /// <param name="isWritten">false to map it for reading only: then a write ends the process.</param>
    /// <exception cref="IOException">The system refused: too many mappings, or too little address space.</exception>
    FileView Map(SafeFileHandle file, long length, bool isWritten);

    /// <summary>
    /// Makes pages of a mapping present before they are written, from the start of a page on; a hint, which may do nothing.
    /// </summary>
    /// <returns>Whether all are present now, so that reading them cannot end the process.</returns>
    bool TryPopulate(nint address, long length, bool inMemory);

    /// <summary>Memory of this process alone that grows in place, to so many bytes at most.</summary>
    /// <returns>null if the system has no such memory, or not that much room in the address space.</returns>
    GrowingMemory? TryReserve(long most);

    /// <summary>Brings a part of a mapping to the disk; the system may write the rest too.</summary>
    /// <param name="view">The mapping, which is written.</param>
    /// <param name="address">Where the part begins, at the start of a page.</param>
    /// <param name="length">Bytes.</param>
    /// <exception cref="IOException">The disk refused.</exception>
    void SyncRange(FileView view, nint address, long length);

    /// <summary>Makes the names in a directory survive a power loss, as far as the system can.</summary>
    void SyncDirectory(string path);

    /// <summary>
    /// Sleeps in the kernel while the 32-bit word at <paramref name="address"/> in shared memory is <paramref name="expected"/>, until
    /// <see cref="WakeAll"/> or the time-out. It may return earlier without a reason.
    /// </summary>
    void Wait(nint address, int expected, TimeSpan timeout);

    /// <summary>How many words <see cref="WaitAny"/> takes at most.</summary>
    int MostWords { get; }

    /// <summary>
    /// Sleeps like <see cref="Wait"/>, but on several words at once, as long as each of them has its expected value. It may return earlier
    /// without a reason. An address that is no longer mapped ends the sleep and does no harm.
    /// </summary>
    void WaitAny(ReadOnlySpan<ExpectedWord> words, TimeSpan timeout);

    /// <summary>Wakes every process and thread that sleeps on the word at <paramref name="address"/> with a value.</summary>
    /// <param name="address">The word, which is mapped during the call.</param>
    /// <param name="left">The value that it had until the caller incremented it.</param>
    void WakeAll(nint address, int left);

    /// <summary>
    /// Announces that this process takes part in <see cref="TryHeavyFence"/>: from now on another process's fence orders this one's plain
    /// loads and stores too.
    /// </summary>
    /// <returns>false if the system has no such fence: then this process must order its own stores (by a full fence for each
    /// message).</returns>
    bool JoinHeavyFence();

    /// <summary>A full memory fence for every process that has joined. It costs the caller microseconds, and the others nothing.</summary>
    /// <returns>false if the system has none.</returns>
    bool TryHeavyFence();

    /// <summary>Whether some thread of a process may have a processor, wait for one, or wait for its disk.</summary>
    /// <returns>
    /// false only if the system tells of threads of that process, and of each that it does not run. true also if it tells of none: the
    /// process has another name space or user, or the system never does.
    /// </returns>
    bool MayRun(int process);

    /// <summary>A text that tells this user from the others of the machine, fit for a file's name.</summary>
    string UserId { get; }

    /// <summary>
    /// Makes a directory of Windows, unless it is there, and its parents. No other user gets a right to it, or to what is made in it. On
    /// Unix callers name a mode instead.
    /// </summary>
    void MakePrivateDirectory(string path);

    /// <summary>
    /// Whether this is a directory, not a link to one, that belongs to this user and to which no other user has any right.
    /// </summary>
    bool IsPrivateDirectory(string path);

    /// <summary>
    /// Sets the modification time of a file, in Unix seconds, without following links; sets the present time if only the file's owner may
    /// set another one.
    /// </summary>
    /// <returns>false if there is no such file, or no right to do so.</returns>
    bool TrySetModified(string path, long seconds);

    /// <summary>Whether anything has this name, also a link that leads nowhere.</summary>
    /// <exception cref="IOException">The system refused to say.</exception>
    /// <exception cref="UnauthorizedAccessException">The caller has no right to look.</exception>
    bool IsThere(string path);

    /// <summary>
    /// What a path leads to. Use it instead of <c>File.Exists</c> and the like, which return false when the system refused to say: code
    /// that believes them treats existing files as missing.
    /// </summary>
    /// <exception cref="IOException">The system refused to say.</exception>
    /// <exception cref="UnauthorizedAccessException">The caller has no right to look.</exception>
    PathKind KindOf(string path);

    /// <summary>Whether a path leads to a directory.</summary>
    /// <inheritdoc cref="KindOf" path="/exception"/>
    bool IsDirectory(string path) => KindOf(path) == PathKind.Directory;

    /// <summary>Whether a path leads to a file.</summary>
    /// <inheritdoc cref="KindOf" path="/exception"/>
    bool IsFile(string path) => KindOf(path) == PathKind.File;

    /// <summary>Whether a directory is another one, or is inside of it, whatever links lead to the two.</summary>
    /// <returns>false also if one of them does not exist.</returns>
    /// <exception cref="IOException">The system refused to say.</exception>
    /// <exception cref="UnauthorizedAccessException">The caller has no right to look.</exception>
    bool IsWithin(string path, string directory);

    /// <summary>Whether a path leads to an open file, and not to a copy of it.</summary>
    /// <returns>null if the system does not tell files apart.</returns>
    /// <exception cref="IOException">The system refused to say.</exception>
    /// <exception cref="UnauthorizedAccessException">The caller has no right to look.</exception>
    bool? LeadsTo(string path, SafeFileHandle file);

    /// <summary>How many calls of <see cref="LeadsTo"/> take five milliseconds: few where each opens the file.</summary>
    int LooksInFiveMilliseconds { get; }

    /// <summary>
    /// 32 bytes that identify a file and differ from those of its copies: the device that it is on (the subvolume on btrfs), its number
    /// there, and when it was made (seconds and nanoseconds; 0 if the file system does not store that). On Windows 8 bytes of the volume
    /// and 16 of the number.
    /// </summary>
    /// <returns>null if the system does not tell.</returns>
    byte[]? IdentityOf(string path);

    /// <summary>The same for an open file, whether or not it still has a name.</summary>
    byte[]? IdentityOf(SafeFileHandle file);

    /// <summary>
    /// Takes the lock of a directory, unless another handle has it. No process can delete this lock while it is held, unlike a file. The
    /// system releases it when the handle is closed or its process dies.
    /// </summary>
    /// <param name="path">The directory.</param>
    /// <param name="held">Closing it releases the lock; null if the system, or the file system, has no such lock.</param>
    /// <returns>false if another handle has the lock.</returns>
    /// <exception cref="IOException">There is no such directory.</exception>
    bool TryLockDirectory(string path, out SafeFileHandle? held);

    /// <summary>Prevents that anybody deletes, renames or replaces a file, where the system can do that.</summary>
    /// <returns>
    /// Closing it ends that, as the death of the process does; null if the system cannot prevent it, or nothing has the name.
    /// </returns>
    /// <exception cref="IOException">Somebody has the file open to delete or rename it.</exception>
    SafeFileHandle? PreserveName(string path);

    /// <summary>Has the system begin to read pages of a mapping that will be read soon; a hint, which may do nothing.</summary>
    void ReadAhead(nint address, long length);

    /// <summary>A text that is the same until the machine restarts.</summary>
    string BootId { get; }
}
