namespace BlitQueue.Reliability.Power;

/// <summary>What names a directory had over time, and which changes of them had been synced when.</summary>
internal sealed class DirectoryHistory
{
    /// <summary>One change. A name that appears leads to a file or a directory; one that is moved takes the other's place.</summary>
    /// <param name="Event">When.</param>
    /// <param name="Gone">The name that is no more; null where none is.</param>
    /// <param name="Name">The name that leads there now; null where none does.</param>
    /// <param name="Target">A <see cref="FileHistory"/> or a <see cref="DirectoryHistory"/>.</param>
    public sealed record Change(int Event, string? Gone, string? Name, object Target);

    private readonly List<Change> _changes = [];
    private readonly List<(int Event, int Changes)> _synced = [(0, 0)];

    /// <summary>The names on the disk when the recording began.</summary>
    public Dictionary<string, object> Base { get; } = [];

    /// <summary>The names now.</summary>
    public Dictionary<string, object> Names { get; } = [];

    public void NoteMade(int now, string name, object target) => Note(new Change(now, null, name, target));

    public void NoteGone(int now, string name)
    {
        if (Names.TryGetValue(name, out object? target))
        {
            Note(new Change(now, name, null, target));
        }
    }

    public void NoteMoved(int now, string from, string to)
    {
        if (Names.TryGetValue(from, out object? target))
        {
            Note(new Change(now, from, to, target));
        }
    }

    /// <summary>
    /// Notes that the changes up to a time before are on the disk, or more: another sync that began later may have ended earlier.
    /// </summary>
    public void NoteSynced(int now, int asOf)
        => _synced.Add((now, Math.Max(_changes.Count(change => change.Event <= asOf), _synced[^1].Changes)));

    /// <summary>The changes that are on the disk for certain at a time, and those that may be.</summary>
    public (IReadOnlyList<Change> Certain, IReadOnlyList<Change> Open) Changes(int now)
    {
        int synced = _synced.Last(entry => entry.Event <= now).Changes;
        return (_changes[..synced], [.. _changes.Skip(synced).TakeWhile(change => change.Event <= now)]);
    }

    private void Note(Change change)
    {
        _changes.Add(change);
        Apply(change, Names);
    }

    public static void Apply(Change change, Dictionary<string, object> names)
    {
        if (change.Gone is not null)
        {
            names.Remove(change.Gone);
        }
        if (change.Name is not null)
        {
            names[change.Name] = change.Target;
        }
    }
}
