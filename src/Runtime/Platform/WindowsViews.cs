namespace BlitQueue.Platform;

/// <summary>The views of this process that are mapped for writing, which a word's address leads to.</summary>
internal sealed class WindowsViews
{
    private readonly Lock _sync = new();

    // By their addresses.
    private readonly List<WindowsView> _views = [];

    public void Add(WindowsView view)
    {
        lock (_sync)
        {
            _views.Insert(CountUpTo(view.Address), view);
        }
    }

    public void Remove(WindowsView view)
    {
        lock (_sync)
        {
            int index = CountUpTo(view.Address) - 1;
            if (index >= 0 && _views[index] == view)
            {
                _views.RemoveAt(index);
            }
        }
    }

    /// <summary>The view that an address is in.</summary>
    /// <returns>null if there is none: the word is this process's own, or its view has ended.</returns>
    public WindowsView? Find(nint address)
    {
        lock (_sync)
        {
            int index = CountUpTo(address) - 1;
            return index >= 0 && address - _views[index].Address < _views[index].Length ? _views[index] : null;
        }
    }

    // How many views begin at the address or before it.
    private int CountUpTo(nint address)
    {
        int low = 0, high = _views.Count;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            (low, high) = _views[middle].Address <= address ? (middle + 1, high) : (low, middle);
        }
        return low;
    }
}
