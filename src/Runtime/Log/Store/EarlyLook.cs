using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// What an opener reads before it takes the opening lock, so that it holds the lock for a shorter time: of hundreds of processes that start
/// at once, each waits for all in front of it. A result counts only if it is the same once the lock is held; everything else is read again,
/// by code that is compiled by then, from pages that are present.
/// </summary>
internal sealed class EarlyLook
{
    private string? _text;
    private QueueMeta? _meta;

    /// <summary>Reads what there is in a directory; never throws.</summary>
    public static EarlyLook At(QueueFiles files, StoreOptions options)
    {
        var early = new EarlyLook();
        try
        {
            if (files.Exists(StoreFormat.MetaName))
            {
                early.Look(files, options);
            }
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Another process may be making, repairing or deleting the queue: the opener reports errors once it holds the lock.
        }
        return early;
    }

    /// <summary>The queue's settings. Called with the opening lock held.</summary>
    /// <exception cref="QueueException">As <see cref="QueueMeta.Read(QueueFiles)"/>.</exception>
    public QueueMeta Meta(QueueFiles files)
    {
        string text = files.ReadText(StoreFormat.MetaName);
        return text == _text && _meta is not null ? _meta : QueueMeta.Read(files, text);
    }

    private void Look(QueueFiles files, StoreOptions options)
    {
        _text = files.ReadText(StoreFormat.MetaName);
        _meta = QueueMeta.Read(files, _text);
        StoreCheck.Verify(files, _meta, options);
        if (options.Schema is { } schema)
        {
            SchemaRegistry.RequireReadable(files, _meta, schema);
        }
        using var control = new ControlFile(files.Map(StoreFormat.ControlName, ControlFormat.Size));
        if (control.Belongs(_meta.Id) && control.IsAsLeft(files.PathOf(StoreFormat.ControlName)))
        {
            _ = StoreCheck.Impossible(_meta, control);
        }
        OwnerWordsInUse.ReadFiles(files);
        Retention.Unfinished(files);
    }
}
