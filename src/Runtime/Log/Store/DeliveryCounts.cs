using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>How many messages one handle was given, by subscription.</summary>
internal sealed class DeliveryCounts
{
    // A call that began before its subscription was disposed may still add to the tally, for a moment.
    private const int MostLeft = 64;

    private readonly Lock _sync = new();
    private readonly List<(string Name, Tally Tally)> _counting = [];
    private readonly Queue<(string Name, Tally Tally)> _left = [];
    private readonly Dictionary<string, long> _settled = [];

    /// <summary>A tally for a subscription's object.</summary>
    public Tally Join(string subscription)
    {
        var tally = new Tally();
        lock (_sync)
        {
            _counting.Add((subscription, tally));
        }
        return tally;
    }

    /// <summary>The object was disposed; what it was given goes on to count.</summary>
    public void Leave(Tally tally)
    {
        lock (_sync)
        {
            int index = _counting.FindIndex(one => one.Tally == tally);
            if (index < 0)
            {
                return;
            }
            _left.Enqueue(_counting[index]);
            _counting.RemoveAt(index);
            if (_left.Count > MostLeft)
            {
                Add(_settled, _left.Dequeue());
            }
        }
    }

    /// <summary>All counts until now.</summary>
    public Dictionary<string, long> Read()
    {
        lock (_sync)
        {
            var all = new Dictionary<string, long>(_settled);
            _counting.ForEach(one => Add(all, one));
            foreach ((string Name, Tally Tally) one in _left)
            {
                Add(all, one);
            }
            return all;
        }
    }

    private static void Add(Dictionary<string, long> counts, (string Name, Tally Tally) one) =>
        counts[one.Name] = counts.GetValueOrDefault(one.Name) + one.Tally.Value;
}
