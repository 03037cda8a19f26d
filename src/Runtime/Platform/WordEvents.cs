using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>
/// The events on which this process's threads sleep: one for each word, or none. Other processes find them by a name that consists of the
/// file's identity, the word's offset and the value with which the threads sleep.
/// </summary>
/// <remarks>
/// <para>SYNC POINT sleeper/waker: the sleeper makes the event, then reads the word; the waker increments the word, then opens the event of
/// the value before and sets it. So either the sleeper sees the new value or the waker finds the event.</para>
/// <para>An event is set once and never reset: there is no moment at which one sleeper takes from another what it still needs. The system
/// removes it with its last handle, also of a process that was killed.</para>
/// </remarks>
/// <param name="name">What the names begin with; null: no event can be had.</param>
/// <param name="rights">A security descriptor on the pinned heap; null for the process's default.</param>
internal sealed class WordEvents(string? name, byte[]? rights)
{
    private readonly Dictionary<nint, (int Value, SafeWaitHandle Event)> _events = [];

    /// <summary>The event for a sleep while a word has a value, which stays open until the caller releases it.</summary>
    /// <returns>null if the system refuses to make one, as where another user has made an event of this name.</returns>
    public SafeWaitHandle? Take(nint offset, int value)
    {
        SafeWaitHandle? found = Find(offset, value) ?? Make(offset, value);
        bool isTaken = false;
        found?.DangerousAddRef(ref isTaken);
        return found;
    }

    private SafeWaitHandle? Find(nint offset, int value) =>
        _events.TryGetValue(offset, out (int Value, SafeWaitHandle Event) there) && there.Value == value ? there.Event : null;

    private SafeWaitHandle? Make(nint offset, int value)
    {
        if (name is null)
        {
            return null;
        }
        var security = new Kernel32.SecurityAttributes
        {
            Length = Marshal.SizeOf<Kernel32.SecurityAttributes>(),
            Descriptor = rights is null ? 0 : Marshal.UnsafeAddrOfPinnedArrayElement(rights, 0),
        };
        SafeWaitHandle made = Kernel32.CreateEvent(
            in security, NameOf(offset, value), Kernel32.ManualReset, Kernel32.ModifyState | Kernel32.Synchronize);
        if (made.IsInvalid)
        {
            made.Dispose();
            return null;
        }
        Close(offset);
        _events[offset] = (value, made);
        return made;
    }

    /// <summary>Wakes all threads, of every process, that sleep while the word has this value.</summary>
    public void Wake(nint offset, int value)
    {
        if (Find(offset, value) is { } own)
        {
            Kernel32.SetEvent(own);
        }
        else if (name is not null)
        {
            using SafeWaitHandle found = Kernel32.OpenEvent(Kernel32.ModifyState, isInherited: false, NameOf(offset, value));
            if (!found.IsInvalid)
            {
                Kernel32.SetEvent(found);
            }
        }
    }

    /// <summary>Closes the event of a word, if it is for this value. The sleeps that have it go on.</summary>
    public void Forget(nint offset, int value)
    {
        if (Find(offset, value) is not null)
        {
            Close(offset);
        }
    }

    /// <summary>Closes all.</summary>
    public void Close()
    {
        foreach ((int _, SafeWaitHandle one) in _events.Values)
        {
            one.Dispose();
        }
        _events.Clear();
    }

    private void Close(nint offset)
    {
        if (_events.Remove(offset, out (int Value, SafeWaitHandle Event) there))
        {
            there.Event.Dispose();
        }
    }

    private string NameOf(nint offset, int value) => $"{name}-{offset:x}-{value:x8}";
}
