namespace BlitQueue.Explorer;

/// <summary>
/// What the processes have been told and have told: the messages that they appended, were acknowledged and consumed, as bits by number. A
/// message's number is 16 times its producer's plus which of its messages it is.
/// </summary>
internal sealed class Ledger(int actors, long present = 0)
{
    // Of each process the messages that it has begun to append and knows nothing about, and those that it was given and has not consumed.
    private readonly long[] _open = new long[actors], _held = new long[actors], _ending = new long[actors];

    // Which deliveries of which messages there were.
    private long _taken;

    public long Acknowledged { get; private set; } = present;

    public long Refused { get; private set; }

    public long Consumed { get; private set; }

    /// <summary>What processes were about to consume when they were killed.</summary>
    public long Unknown { get; private set; }

    public long OpenOf(int actor) => _open[actor];

    public Ledger Clone()
    {
        var clone = new Ledger(actors) { Acknowledged = Acknowledged, Refused = Refused, Consumed = Consumed, Unknown = Unknown, _taken = _taken };
        _ending.CopyTo(clone._ending, 0);
        _open.CopyTo(clone._open, 0);
        _held.CopyTo(clone._held, 0);
        return clone;
    }

    /// <summary>Takes down what a process says.</summary>
    /// <returns>What is wrong with it; null when nothing is.</returns>
    public string? Note(int actor, NoteKind kind, long value)
    {
        switch (kind)
        {
            case NoteKind.Begun:
                _open[actor] |= value;
                return null;
            case NoteKind.Acknowledged:
                Acknowledged |= value;
                _open[actor] &= ~value;
                return null;
            case NoteKind.Refused:
                Refused |= value;
                _open[actor] &= ~value;
                return null;
            case NoteKind.Returned or NoteKind.Lost:
                _held[actor] &= ~(1L << (int)value);
                _ending[actor] &= ~(1L << (int)value);
                return null;
            case NoteKind.Taken:
                return Take(value);
            case NoteKind.Ending:
                _ending[actor] |= 1L << (int)value;
                return null;
            case NoteKind.Delivered:
                return Deliver(actor, value);
            default:
                return Consume(actor, value);
        }
    }

    private string? Deliver(int actor, long message)
    {
        long bit = 1L << (int)message;
        for (int other = 0; other < actors; other++)
        {
            if (other != actor && (_held[other] & bit) != 0)
            {
                return $"message {message} was given to a second process while the first holds it and lives";
            }
        }
        _held[actor] |= bit;
        return (Consumed & bit) != 0 ? $"message {message} was delivered after it was consumed" : null;
    }

    private string? Take(long delivery)
    {
        long bit = 1L << (int)delivery, message = delivery & 15;
        if ((_taken & bit) != 0)
        {
            return $"delivery {delivery >> 4} of message {message} was handed out twice";
        }
        _taken |= bit;
        return null;
    }

    private string? Consume(int actor, long message)
    {
        long bit = 1L << (int)message;
        if ((Consumed & bit) != 0)
        {
            return $"message {message} was consumed twice";
        }
        Consumed |= bit;
        _held[actor] &= ~bit;
        _ending[actor] &= ~bit;
        return (Refused & bit) != 0 ? $"message {message} was consumed, though its append was refused" : null;
    }

    /// <summary>What a process was given and has not consumed is nobody's: it is dead.</summary>
    public void Bury(int actor)
    {
        _held[actor] = 0;
        Unknown |= _ending[actor];
        _ending[actor] = 0;
    }

    public void AddTo(ref StateHash hash)
    {
        hash.Add(Acknowledged);
        hash.Add(Consumed);
        hash.Add(Refused);
        hash.Add(Unknown);
        hash.Add(_taken);
        for (int actor = 0; actor < actors; actor++)
        {
            hash.Add(_open[actor]);
            hash.Add(_held[actor]);
            hash.Add(_ending[actor]);
        }
    }
}
