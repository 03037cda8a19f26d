using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>
/// What the queue needs of an operating system beyond .NET. One implementation per system; <see cref="CurrentPlatform"/> picks.
/// Nothing here is called per message, except a wake-up when somebody sleeps.
/// </summary>
internal interface IPlatform
{
    /// <summary>
    /// Takes an exclusive lock on one byte of a file, without waiting. It is held until <see cref="UnlockByte"/>, until the handle is
    /// closed, or until the process dies, whatever comes first; the kernel sees to the last two. Two
    /// handles conflict even within one process.
    /// </summary>
    /// <returns>false when another handle holds it.</returns>
    bool TryLockByte(SafeFileHandle file, long offset);

    /// <summary>
    /// Takes a lock as <see cref="TryLockByte"/> does, sleeping in the kernel until others have given it back. On Linux those who
    /// sleep get it in the order in which they came: each waits behind the one in front of it, so that giving it back wakes one. A
    /// sleeper that is stopped loses its place.
    /// </summary>
    /// <exception cref="ObjectDisposedException">
    /// The handle was closed meanwhile. Closing it does not end a sleep: the lock is taken, and given back at once.
    /// </exception>
    void LockByte(SafeFileHandle file, long offset);

    /// <summary>Gives a byte lock of this handle back. Throws nothing: it stands where work has ended, and must not hide how.</summary>
    /// <returns>false where the system refuses even that: the lock goes when the handle is closed.</returns>
    bool UnlockByte(SafeFileHandle file, long offset);

    /// <summary>Whether another handle, in whatever process, holds the lock on this byte.</summary>
    bool IsByteLocked(SafeFileHandle file, long offset);

    /// <summary>Whether another handle, in whatever process, holds the lock on any of so many bytes.</summary>
    bool IsAnyByteLocked(SafeFileHandle file, long offset, int count);

    /// <summary>
    /// Opens a file, or makes it where the mode says so: never through a link at the path's end, and
    /// without waiting for the other end of a pipe.
    /// </summary>
    /// <param name="path">The file.</param>
    /// <param name="mode"><see cref="FileMode.Open"/>, <see cref="FileMode.OpenOrCreate"/> or <see cref="FileMode.CreateNew"/>.</param>
    /// <param name="access">For reading, or for both.</param>
    /// <param name="rights">Those of a file that is made, on Unix.</param>
    /// <exception cref="IrregularFileException">A link, a directory, a pipe, a device or a socket stands there.</exception>
    SafeFileHandle OpenFile(string path, FileMode mode, FileAccess access, UnixFileMode rights);

    /// <summary>Who may use a file.</summary>
    /// <returns>null where there is none, or the system knows no such rights.</returns>
    (UnixFileMode Mode, uint? Group)? RightsOf(string path);

    /// <summary>Gives a file to a group, where the user may and it is another's.</summary>
    void TrySetGroup(SafeFileHandle file, uint group);

    /// <summary>
    /// Gives the file its size in bytes with every block reserved, so that no later write through a mapping can find the disk full.
    /// </summary>
    /// <exception cref="DiskFullException">There is no room; the file's size may have changed and the caller deletes it.</exception>
    void Preallocate(SafeFileHandle file, long size);

    /// <summary>
    /// As <see cref="Preallocate"/>, for a file in memory that was just made; in pages of two megabytes as far as the system has them.
    /// </summary>
    /// <param name="file">The file.</param>
    /// <param name="size">Bytes.</param>
    /// <param name="patience">
    /// How much longer it may take than twice what it takes in small pages; then the rest is in those. Zero: all is.
    /// </param>
    /// <param name="isHurried">Whether the rest is to be in small pages though there is patience left; asked now and then.</param>
    /// <exception cref="DiskFullException">As above.</exception>
    void PreallocateInMemory(SafeFileHandle file, long size, TimeSpan patience, Func<bool>? isHurried = null);

    /// <summary>Whether a file that writes each block to a new place as a rule was made so that it does not.</summary>
    bool IsWrittenInPlace(SafeFileHandle file);

    /// <summary>Whether another file, a copy or a snapshot, has some of a stretch's blocks too: a write there needs new ones.</summary>
    /// <returns>false also where the file system does not tell.</returns>
    bool IsShared(SafeFileHandle file, long offset, long length);

    /// <summary>
    /// Gives a stretch blocks of its own, so that no later write through a mapping can find the disk
    /// full. Others may write there meanwhile.
    /// </summary>
    /// <returns>false where the disk has no room for them, or the system has no way to.</returns>
    bool TryMakePrivate(SafeFileHandle file, long offset, long length);

    /// <summary>Gives a file another name in one step, unless a file has that name already.</summary>
    /// <returns>false where one has.</returns>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    bool TryName(string path, string name);

    /// <summary>Maps the first bytes of a file that is at least that long.</summary>
    /// <param name="file">The file, open for no less.</param>
    /// <param name="length">Bytes.</param>
    /// <param name="isWritten">false: for reading; a write ends the process.</param>
    /// <exception cref="IOException">The system refuses: too many mappings, too little address space.</exception>
    FileView Map(SafeFileHandle file, long length, bool isWritten);

    /// <summary>Makes pages of a mapping, from one's beginning on, present before they are written; a hint, which may do nothing.</summary>
    void Populate(nint address, long length, bool inMemory);

    /// <summary>Memory of this process alone that grows where it is, to so many bytes at most.</summary>
    /// <returns>null where the system has no such memory, or not that much room in the address space.</returns>
    GrowingMemory? TryReserve(long most);

    /// <summary>Brings a stretch of a mapping to the disk, the rest as the system likes.</summary>
    /// <exception cref="IOException">The disk refused.</exception>
    void SyncRange(nint address, long length);

    /// <summary>Makes the names in a directory survive a power loss, as far as the system can.</summary>
    void SyncDirectory(string path);

    /// <summary>
    /// Sleeps in the kernel while the 32-bit word at <paramref name="address"/> in shared memory is <paramref name="expected"/>, until
    /// <see cref="WakeAll"/> or the time-out. May return early for no reason.
    /// </summary>
    void Wait(nint address, int expected, TimeSpan timeout);

    /// <summary>How many words <see cref="WaitAny"/> takes at most.</summary>
    int MostWords { get; }

    /// <summary>
    /// Sleeps like <see cref="Wait"/>, but on several words at once: as long as each of them is what is expected of it. May return early
    /// for no reason. An address that is no longer mapped ends the sleep and does no harm.
    /// </summary>
    void WaitAny(ReadOnlySpan<ExpectedWord> words, TimeSpan timeout);

    /// <summary>Wakes every process and thread that sleeps on the word at <paramref name="address"/>.</summary>
    void WakeAll(nint address);

    /// <summary>
    /// Announces that this process takes part in <see cref="TryHeavyFence"/>: from now on another process's fence orders this one's plain
    /// loads and stores too.
    /// </summary>
    /// <returns>false where the system has no such fence: then this process must order its own (a full fence per message).</returns>
    bool JoinHeavyFence();

    /// <summary>
    /// A full memory fence on behalf of every process that has joined: theirs cost nothing, this one costs microseconds.
    /// </summary>
    /// <returns>false where the system has none.</returns>
    bool TryHeavyFence();

    /// <summary>Whether some thread of a process has a processor, waits for one, or waits for its disk.</summary>
    /// <returns>false also where the system does not tell.</returns>
    bool Runs(int process);

    /// <summary>A text that tells this user from the others of the machine, fit for a file's name.</summary>
    string UserId { get; }

    /// <summary>Whether there is a directory, not a link to one, that is this user's own and that nobody else has any right to.</summary>
    bool IsPrivateDirectory(string path);

    /// <summary>
    /// Gives a file, not one that a link leads to, this time of its last change, Unix seconds; the present one where only its owner may.
    /// </summary>
    /// <returns>false where there is no such file, or no right to.</returns>
    bool TrySetModified(string path, long seconds);

    /// <summary>Whether anything has this name, a link that leads nowhere too.</summary>
    /// <exception cref="IOException">The system refused to say.</exception>
    /// <exception cref="UnauthorizedAccessException">The caller has no right to look.</exception>
    bool IsThere(string path);

    /// <summary>
    /// What a path leads to. Asked instead of <c>File.Exists</c> and the like, for which "the system refused to say" is "no": code that
    /// believes that gives up what is there.
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

    /// <summary>Whether a directory is another one, or lies in it, by whatever links and names both are given.</summary>
    /// <returns>false also where one of them is not there.</returns>
    /// <exception cref="IOException">The system refused to say.</exception>
    /// <exception cref="UnauthorizedAccessException">The caller has no right to look.</exception>
    bool IsWithin(string path, string directory);

    /// <summary>Whether a path leads to an open file, and not to a copy of it.</summary>
    /// <returns>null where the system does not tell files apart.</returns>
    /// <exception cref="IOException">The system refused to say.</exception>
    /// <exception cref="UnauthorizedAccessException">The caller has no right to look.</exception>
    bool? LeadsTo(string path, SafeFileHandle file);

    /// <summary>
    /// 32 bytes that tell a file from every other, its copies too: the device that it is on (the subvolume on btrfs), its number there, and
    /// when it was made (seconds and nanoseconds; 0 where the file system does not keep that).
    /// </summary>
    /// <returns>null where the system does not tell.</returns>
    byte[]? IdentityOf(string path);

    /// <summary>Has the system begin to read pages of a mapping that will be read soon; a hint, which may do nothing.</summary>
    void ReadAhead(nint address, long length);

    /// <summary>A text that is the same until the machine restarts.</summary>
    string BootId { get; }
}
