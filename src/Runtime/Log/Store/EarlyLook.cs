using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// What an opener looks at before it has the opening lock, so that it has it for a shorter time: one of hundreds that start at once waits
/// for all in front of it. What is found counts only where it stands there with the lock, too; the rest is looked at again, with the code
/// compiled and the pages present.
/// </summary>
internal sealed class EarlyLook
{
    private string? _text;
    private QueueMeta? _meta;

    /// <summary>Looks around in a directory, whatever is or is not there.</summary>
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
            // Another process may be making, repairing or deleting all this: the look with the lock tells what is wrong.
        }
        return early;
    }

    /// <summary>What the queue is. Called with the opening lock held.</summary>
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
