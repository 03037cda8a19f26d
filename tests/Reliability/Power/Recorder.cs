using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using BlitQueue.Reliability.Native;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Reliability.Power;

/// <summary>
/// Watches what this process does to the files below a directory, from outside of the queue: which names come and go, what is synced, and,
/// before each sync and whenever it is asked to look, which pages have changed.
/// </summary>
internal sealed unsafe class Recorder : IDisposable
{
    private static Recorder? Current;

    // When this thread's sync began, and what it saw then is what the sync brings to the disk.
    [ThreadStatic]
    private static int SyncBegan;

    private readonly Lock _sync = new();
    private readonly Dictionary<long, (FileHistory History, SafeFileHandle File)> _files = [];
    private readonly Dictionary<string, DirectoryHistory> _directories = [];
    private readonly Dictionary<long, string> _directoryInodes = [];
    private readonly List<(long Address, long Length, long Inode, long Offset)> _mappings = [];
    private readonly List<int> _syncs = [];
    private byte[] _buffer = new byte[1 << 20];

    /// <param name="root">An existing directory. What it holds counts as being on the disk.</param>
    public Recorder(string root)
    {
        Root = new DirectoryHistory();
        Adopt(root, Root);
        Current = this;
        SystemCalls.Root(root);
        SystemCalls.Observe(&Observe);
    }

    /// <summary>The directory over time.</summary>
    public DirectoryHistory Root { get; }

    /// <summary>The number of the last event.</summary>
    public int Now { get; private set; }

    /// <summary>The events right after which something is on the disk that was not there before.</summary>
    public IReadOnlyList<int> Syncs => _syncs;

    /// <summary>Notes what has changed by now.</summary>
    /// <returns>The event's number.</returns>
    public int Look()
    {
        SystemCalls.Pause(1);
        try
        {
            lock (_sync)
            {
                return Capture();
            }
        }
        finally
        {
            SystemCalls.Pause(-1);
        }
    }

    private void Adopt(string path, DirectoryHistory history)
    {
        _directories[path] = history;
        _directoryInodes[InodeOf(path)] = path;
        foreach (string file in Directory.EnumerateFiles(path))
        {
            SafeFileHandle handle = File.OpenHandle(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            var known = new FileHistory(Read(handle));
            _files[InodeOf(file)] = (known, handle);
            history.Base[Path.GetFileName(file)] = history.Names[Path.GetFileName(file)] = known;
        }
        foreach (string directory in Directory.EnumerateDirectories(path))
        {
            var below = new DirectoryHistory();
            history.Base[Path.GetFileName(directory)] = history.Names[Path.GetFileName(directory)] = below;
            Adopt(directory, below);
        }
    }

    [UnmanagedCallersOnly]
    private static void Observe(int call, int after, byte* path, byte* path2, long inode, long offset, long length, long result)
    {
        if (Current is { } recorder)
        {
            lock (recorder._sync)
            {
                if (Current != recorder)
                {
                    return;
                }
                recorder.On((Call)call, after != 0, Text(path), Text(path2), inode, offset, length, result);
            }
            if (after == 0)
            {
                TakeTime((Call)call);
            }
        }
    }

    // A disk takes its time for some syncs: then other threads sync the same file meanwhile, and are done earlier.
    private static void TakeTime(Call call)
    {
        if (call is Call.Sync or Call.SyncMemory && Random.Shared.Next(3) == 0)
        {
            Thread.Sleep(Random.Shared.Next(4));
        }
    }

    private void On(Call call, bool isAfter, string? path, string? path2, long inode, long offset, long length, long result)
    {
        if (call is Call.Sync or Call.SyncMemory)
        {
            OnSync(call, isAfter, inode, offset, length, result);
            return;
        }
        if (call == Call.Unmap)
        {
            _mappings.RemoveAll(mapping => mapping.Address == offset);
            return;
        }
        if (!isAfter || result < 0)
        {
            return;
        }
        switch (call)
        {
            case Call.Open:
                OnOpened(path!, inode);
                break;
            case Call.MakeDirectory:
                var made = new DirectoryHistory();
                _directories[path!] = made;
                _directoryInodes[inode] = path!;
                Parent(path!).NoteMade(Now + 1, Path.GetFileName(path!), made);
                break;
            case Call.Rename:
                Parent(path!).NoteMoved(Now + 1, Path.GetFileName(path!), Path.GetFileName(path2!));
                break;
            case Call.Unlink or Call.RemoveDirectory:
                Parent(path!).NoteGone(Now + 1, Path.GetFileName(path!));
                break;
            case Call.Map:
                _mappings.Add((result, length, inode, offset));
                return;
        }
        Now++;
    }

    private void OnOpened(string path, long inode)
    {
        if (_files.ContainsKey(inode))
        {
            return;
        }
        var known = new FileHistory([]);
        _files[inode] = (known, File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));
        Parent(path).NoteMade(Now + 1, Path.GetFileName(path), known);
    }

    private void OnSync(Call call, bool isAfter, long inode, long offset, long length, long result)
    {
        if (!isAfter)
        {
            SyncBegan = Capture();
            return;
        }
        if (result < 0)
        {
            return;
        }
        int now = Now + 1;
        if (call == Call.SyncMemory)
        {
            (long address, long mappedLength, long mapped, long start) =
                _mappings.LastOrDefault(mapping => offset >= mapping.Address && offset < mapping.Address + mapping.Length);
            // Memory of no file stands in for a subscription that is being deleted: its sync brings nothing to the disk.
            if (mappedLength > 0)
            {
                long from = offset - address + start;
                _files[mapped].History.NoteSynced(now, SyncBegan, from, from + length);
            }
        }
        else if (_directoryInodes.TryGetValue(inode, out string? directory))
        {
            _directories[directory].NoteSynced(now, SyncBegan);
        }
        else if (_files.TryGetValue(inode, out (FileHistory History, SafeFileHandle File) file))
        {
            file.History.NoteSynced(now, SyncBegan, 0, long.MaxValue - FileHistory.PageSize);
        }
        _syncs.Add(now);
        Now = now;
    }

    private DirectoryHistory Parent(string path) => _directories[Path.GetDirectoryName(path)!];

    // Written last: a thread that reads the number of the last event before a step must have that step's effects at a later event.
    private int Capture()
    {
        int now = Now + 1;
        var named = _directories.Values.SelectMany(static directory => directory.Names.Values).ToHashSet();
        foreach ((FileHistory history, SafeFileHandle file) in _files.Values)
        {
            if (named.Contains(history))
            {
                history.Note(now, Read(file));
            }
        }
        return Now = now;
    }

    private ReadOnlySpan<byte> Read(SafeFileHandle file)
    {
        int length = (int)RandomAccess.GetLength(file);
        if (length > _buffer.Length)
        {
            _buffer = new byte[length];
        }
        int read = RandomAccess.Read(file, _buffer.AsSpan(0, length), 0);
        Debug.Assert(read == length, "Files do not become shorter.");
        return _buffer.AsSpan(0, length);
    }

    private static string? Text(byte* text) => text is null ? null : Marshal.PtrToStringUTF8((nint)text);

    private static long InodeOf(string path) => SystemCalls.Inode(path);

    public void Dispose()
    {
        SystemCalls.Observe(null);
        lock (_sync)
        {
            Current = null;
            foreach ((_, SafeFileHandle file) in _files.Values)
            {
                file.Dispose();
            }
        }
    }
}
