using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>A view of a file of Windows on whose words threads can sleep.</summary>
internal sealed class WindowsView(FileView view, SafeFileHandle file, long length, WindowsViews views) : SyncedView(view, file)
{
    private readonly Lock _sync = new();
    private WordEvents? _events;
    private bool _isOver;

    /// <summary>Bytes from <see cref="FileView.Address"/> on.</summary>
    public long Length => length;

    /// <summary>Takes the event for a sleep on a word of this view.</summary>
    /// <param name="word">The word, with the value that it must have.</param>
    /// <param name="taken">The caller releases it; null if there is none.</param>
    /// <returns>false if the word has another value, or is mapped no more: there is nothing to wait for.</returns>
    public bool TryTake(in ExpectedWord word, out SafeWaitHandle? taken)
    {
        taken = null;
        lock (_sync)
        {
            if (!IsUnchanged(word))
            {
                return false;
            }
            taken = Events.Take(word.Address - Address, word.Value);
            return IsUnchanged(word);
        }
    }

    // Inside of the lock, which the view's end takes: so the word is mapped while it is read.
    private bool IsUnchanged(in ExpectedWord word) => !_isOver && Marshal.ReadInt32(word.Address) == word.Value;

    /// <summary>Closes the event of a word that was not changed although its event is set.</summary>
    /// <returns>false if the word was changed, or is mapped no more.</returns>
    public bool TryForget(in ExpectedWord word)
    {
        lock (_sync)
        {
            bool isWrong = IsUnchanged(word);
            if (isWrong)
            {
                Events.Forget(word.Address - Address, word.Value);
            }
            return isWrong;
        }
    }

    /// <summary>Wakes all that sleep on a word with this value.</summary>
    public void Wake(nint address, int value)
    {
        lock (_sync)
        {
            if (!_isOver)
            {
                Events.Wake(address - Address, value);
            }
        }
    }

    // Most views have no word on which a thread sleeps.
    private WordEvents Events => _events ??= new WordEvents(NameOf(File), RightsOf(File));

    // Global, so that a service and the programs of a user's session find each other. Without the volume, which Wine does not always tell:
    // a file of another volume may have the same identity, and then wakes sleepers of this one for nothing.
    private static string? NameOf(SafeFileHandle file)
    {
        byte[] id = new byte[WindowsFileId.Size];
        return WindowsFileId.TryRead(file, id)
            ? $@"Global\BlitQueue-{Convert.ToHexStringLower(id.AsSpan(WindowsFileId.VolumeSize))}"
            : null;
    }

    // The bit that permits writing to a file is the one that permits setting an event, and both have the same bit for waiting. So the
    // file's access list, on an event, lets those set it who may write the word.
    private static byte[]? RightsOf(SafeFileHandle file)
    {
        byte[] none = new byte[1];
        Kernel32.GetSecurity(file, Kernel32.AccessList, ref none[0], 0, out uint size);
        byte[] rights = GC.AllocateArray<byte>(Math.Max(1, (int)size), pinned: true);
        return size > 0 && Kernel32.GetSecurity(file, Kernel32.AccessList, ref rights[0], size, out _) ? rights : null;
    }

    public override void Dispose()
    {
        End();
        base.Dispose();
    }

    public override void Detach()
    {
        End();
        base.Detach();
    }

    private void End()
    {
        views.Remove(this);
        lock (_sync)
        {
            _isOver = true;
            _events?.Close();
        }
    }
}
