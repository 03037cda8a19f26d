namespace BlitQueue.Platform;

/// <summary>
/// Memory of this process alone, of no file: a range of the address space whose first bytes can be used, more of them after each
/// <see cref="TryGrow"/>. Written bytes never move, and the system provides pages only where the range is touched.
/// </summary>
/// <param name="address">Where the range begins.</param>
/// <param name="most">How long it is.</param>
internal abstract class GrowingMemory(nint address, long most) : IDisposable
{
    // A large page of each processor that the library runs on.
    private const long Step = 2 << 20;

    private long _length;
    private bool _isGivenBack;

    public nint Address { get; } = address;

    /// <summary>Makes at least so many bytes from the start usable.</summary>
    /// <returns>false if the range is shorter, or the system has no memory for them.</returns>
    public bool TryGrow(long length)
    {
        if (length <= _length)
        {
            return true;
        }
        if (length > most)
        {
            return false;
        }
        long grown = Math.Min(most, Math.Max((length + Step - 1) & -Step, 2 * _length));
        if (!TryMakeUsable(grown))
        {
            return false;
        }
        _length = grown;
        return true;
    }

    /// <summary>Asks the system for the first bytes, of which some may be usable already.</summary>
    protected abstract bool TryMakeUsable(long length);

    /// <summary>Gives all of it back to the system at once. Two threads must not call it at the same time.</summary>
    public void Dispose()
    {
        if (!_isGivenBack)
        {
            _isGivenBack = true;
            GiveBack(most);
        }
    }

    /// <summary>Gives the whole range back.</summary>
    protected abstract void GiveBack(long length);
}
