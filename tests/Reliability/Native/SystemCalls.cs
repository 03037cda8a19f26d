using System.Runtime.InteropServices;

namespace BlitQueue.Reliability.Native;

/// <summary>What stands between this process and the C library, where it was started by <see cref="CallsLibrary.Start"/>.</summary>
internal static unsafe partial class SystemCalls
{
    private const string Library = "blitqueue-calls";

    /// <summary>The environment variable that names the library to a process that was started with it.</summary>
    public const string PathVariable = "BLITQUEUE_CALLS";

    /// <summary>
    /// Has the queue's own declarations of C functions lead here too: they ask the C library itself for them, which is loaded in front of
    /// nothing.
    /// </summary>
    public static void Use()
    {
        nint library = NativeLibrary.Load(Environment.GetEnvironmentVariable(PathVariable)!);
        NativeLibrary.SetDllImportResolver(typeof(SystemCalls).Assembly, (name, _, _) => name == Library ? library : 0);
        NativeLibrary.SetDllImportResolver(typeof(QueueException).Assembly, (name, _, _) => name == "libc" ? library : 0);
    }

    /// <summary>Only calls for this directory and what is below it are watched, or fail.</summary>
    [LibraryImport(Library, EntryPoint = "calls_root", StringMarshalling = StringMarshalling.Utf8)]
    public static partial void Root(string path);

    /// <summary>
    /// Whom to tell of each call: which, 0 before and 1 after it, path, second path, inode, offset or address, length or flags, result.
    /// </summary>
    [LibraryImport(Library, EntryPoint = "calls_observe")]
    public static partial void Observe(delegate* unmanaged<int, int, byte*, byte*, long, long, long, long, void> observer);

    /// <summary>1: this thread's calls are nobody's business, until as many -1 have followed.</summary>
    [LibraryImport(Library, EntryPoint = "calls_pause")]
    public static partial void Pause(int by);

    /// <summary>From now on file systems in memory say that they are disks.</summary>
    [LibraryImport(Library, EntryPoint = "calls_pretend_disk")]
    public static partial void PretendDisk();

    /// <summary>Has the nth call of a kind from now on fail, and all later ones where it is for good; kind -1: none.</summary>
    [LibraryImport(Library, EntryPoint = "calls_fail")]
    public static partial void Fail(int call, int nth, int error, int forGood);

    /// <summary>The number of the file or directory that a path leads to.</summary>
    [LibraryImport(Library, EntryPoint = "calls_inode", StringMarshalling = StringMarshalling.Utf8)]
    public static partial long Inode(string path);

    /// <summary>How many calls have failed since.</summary>
    [LibraryImport(Library, EntryPoint = "calls_failed")]
    public static partial int Failed();

    /// <summary>How many calls of the kind there were since.</summary>
    [LibraryImport(Library, EntryPoint = "calls_seen")]
    public static partial int Seen();

    /// <summary>The wall clock: 0 = right, 1 = so many seconds off, 2 = stands still.</summary>
    [LibraryImport(Library, EntryPoint = "calls_clock")]
    public static partial void Clock(int mode, long seconds);
}

/// <summary>The calls that are watched and made to fail. As in calls.c.</summary>
internal enum Call
{
    Open,
    Rename,
    Unlink,
    MakeDirectory,
    RemoveDirectory,
    Truncate,
    Allocate,
    Write,
    Map,
    Unmap,
    SyncMemory,
    Sync,
    Lock,
    Futex,
    Advise,
    Read,
    Status,
    Control,
    Rights,
    Owner,
    Times,
    Protect,
}
