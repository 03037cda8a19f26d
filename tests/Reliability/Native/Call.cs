namespace BlitQueue.Reliability.Native;

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
