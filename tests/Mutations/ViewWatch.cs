namespace BlitQueue.Mutations;

/// <summary>What a look at a view found.</summary>
internal sealed class ViewWatch
{
    private readonly List<object> _begun = [];

    /// <summary>
    /// Whether the bytes are what was packed from a value that is known. Otherwise anything may come, a PackException too.
    /// </summary>
    public bool Compares { get; init; }

    public int Faults { get; set; }

    /// <summary>How many messages the view looked at is inside of.</summary>
    public int Depth { get; set; }

    /// <summary>What is looked at was looked at before.</summary>
    public bool IsAgain { get; private set; }

    /// <summary>Something was passed by that may have objects with identity in it: their numbers are not known from here on.</summary>
    public bool HasLostCount { get; set; }

    /// <summary>Whether a PackException may come: of changed bytes only.</summary>
    public bool ExpectsFaults => !Compares;

    public void Same<T>(T seen, object? packed)
    {
        if (!Compares)
        {
            return;
        }

        (string? left, string? right) = (ValueText.Of(seen), ValueText.Of(packed));
        if (left != right)
        {
            throw new InvalidOperationException($"The view says {left}, and {right} was packed.");
        }
    }

    public object? MemberOf(object value, string name)
        => Compares ? ValueText.Members(value).Single(member => member.Name == name).Value : null;

    /// <summary>
    /// The most that the view took to make one object, in bytes: near one with identity that is an unpacking of the root message.
    /// </summary>
    public long MostForOneObject { get; private set; }

    /// <summary>What it took to make all of them.</summary>
    public long ForObjects { get; private set; }

    /// <summary>Makes one object, apart from all that else is allocated for the look.</summary>
    public T? Make<TView, T>(ref TView view, ViewGetter<TView, T?> make)
        where TView : allows ref struct
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            return make(ref view);
        }
        finally
        {
            long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            MostForOneObject = Math.Max(MostForOneObject, allocated);
            ForObjects += allocated;
        }
    }

    /// <summary>Compares the number that stands in place of an object with identity; -1 where the object itself stands.</summary>
    public void SameReference(int number, object? packed)
    {
        if (!Compares || IsAgain || HasLostCount || packed is null)
        {
            return;
        }

        int known = _begun.FindIndex(begun => ReferenceEquals(begun, packed));
        if (known < 0)
        {
            _begun.Add(packed);
        }

        Same(number, known);
    }

    /// <summary>Looks at what was looked at before, in another way; once only, or deep ones would never end.</summary>
    public void Again<TView>(ref TView view, object? value)
        where TView : allows ref struct
    {
        if (IsAgain)
        {
            return;
        }

        IsAgain = true;
        try
        {
            Views<TView>.Look(ref view, value, this);
        }
        finally
        {
            IsAgain = false;
        }
    }
}
