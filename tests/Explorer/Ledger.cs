namespace BlitQueue.Explorer;

/// <summary>
/// What the processes have been told and have told: the messages that they appended, were acknowledged and consumed, as bits by number. A
/// message's number is 16 times its producer's plus which of its messages it is.
/// </summary>
internal sealed class Ledger(int actors, long present = 0)
{
    // Of each process the messages that it has begun to append and knows nothing about, and those that it was given and has not consumed.
    // Behind each other in one array, because there is a ledger for each state.
    private readonly long[] _each = new long[3 * actors];

    // How many deliveries of which messages there were.
    private long _taken;

    // How often each of the first messages was made to be delivered again, and how often it was consumed again.
    private long _again, _more;

    public long Acknowledged { get; private set; } = present;

    public long Refused { get; private set; }

    public long Consumed { get; private set; }

    /// <summary>What processes were about to consume when they were killed.</summary>
    public long Unknown { get; private set; }

    public long OpenOf(int actor) => Open(actor);

    private ref long Open(int actor) => ref _each[3 * actor];

    private ref long Held(int actor) => ref _each[(3 * actor) + 1];

    private ref long Ending(int actor) => ref _each[(3 * actor) + 2];

    public Ledger Clone()
    {
        var clone = new Ledger(actors)
        {
            Acknowledged = Acknowledged,
            Refused = Refused,
            Consumed = Consumed,
            Unknown = Unknown,
            _taken = _taken,
            _again = _again,
            _more = _more,
        };
        _each.CopyTo(clone._each, 0);
        return clone;
    }

    /// <summary>Takes down what a process says.</summary>
    /// <returns>What is wrong with it; null when nothing is.</returns>
    public string? Note(int actor, NoteKind kind, long value)
    {
        switch (kind)
        {
            case NoteKind.Begun:
                Open(actor) |= value;
                return null;
            case NoteKind.Acknowledged:
                Acknowledged |= value;
                Open(actor) &= ~value;
                return null;
            case NoteKind.Refused:
                Refused |= value;
                Open(actor) &= ~value;
                return null;
            case NoteKind.Returned or NoteKind.Lost:
                Held(actor) &= ~(1L << (int)value);
                Ending(actor) &= ~(1L << (int)value);
                return null;
            case NoteKind.Taken:
                return Take(value);
            case NoteKind.Ending:
                Ending(actor) |= 1L << (int)value;
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
            if (other != actor && (Held(other) & bit) != 0)
            {
                return $"message {message} was given to a second process while the first holds it and lives";
            }
        }
        Held(actor) |= bit;
        return (Consumed & bit) != 0 ? $"message {message} was delivered after it was consumed" : null;
    }

    private string? Take(long delivery)
    {
        long message = delivery & 15, index = ((delivery >> 2) & 12) | (message & 3);
        if (Count(_taken, index) > Count(_again, message))
        {
            return $"delivery {delivery >> 4} of message {message} was handed out "
                + $"{(Count(_again, message) == 0 ? "twice" : "more often than a seek explains")}";
        }
        _taken += One(index);
        return null;
    }

    /// <summary>Somebody has sought back over these messages, so that each is to be consumed once more.</summary>
    public void Repeat(long messages)
    {
        for (int message = 0; message < Counts; message++)
        {
            _again += (messages & (1L << message)) == 0 ? 0 : One(message);
        }
    }

    /// <summary>How often a message is still to be consumed.</summary>
    public int Owed(int message) => ((Consumed & (1L << message)) == 0 ? 1 : 0) + Count(_again, message) - Count(_more, message);

    // 16 counts of 4 bits.
    private const int Counts = 16;

    private static long One(long index) => index < Counts ? 1L << (4 * (int)index) : 0;

    private static int Count(long counts, long index) => index < Counts ? (int)(counts >> (4 * (int)index)) & 15 : 0;

    private string? Consume(int actor, long message)
    {
        long bit = 1L << (int)message;
        if (Owed((int)message) == 0)
        {
            return $"message {message} was consumed {(Count(_again, message) == 0 ? "twice" : "more often than a seek explains")}";
        }
        _more += (Consumed & bit) == 0 ? 0 : One(message);
        Consumed |= bit;
        Held(actor) &= ~bit;
        Ending(actor) &= ~bit;
        return (Refused & bit) != 0 ? $"message {message} was consumed, though its append was refused" : null;
    }

    /// <summary>What a process was given and has not consumed is nobody's: it is dead.</summary>
    public void MoveToDeadLetters(int actor)
    {
        Held(actor) = 0;
        Unknown |= Ending(actor);
        Ending(actor) = 0;
    }

    public void AddTo(ref StateHash hash)
    {
        hash.Add(Acknowledged);
        hash.Add(Consumed);
        hash.Add(Refused);
        hash.Add(Unknown);
        hash.Add(_taken);
        hash.Add(_again);
        hash.Add(_more);
        foreach (long one in _each)
        {
            hash.Add(one);
        }
    }
}
