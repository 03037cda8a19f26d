using System.Diagnostics;
using System.Text;

namespace BlitQueue.Peer;

/// <summary>
/// This process's own record of what was acknowledged to it, one line each. A line is one write() and is in the kernel's hands before the
/// process goes on, so that it survives the process.
/// </summary>
/// <param name="tally">Only count, and say so at the end: for who works too long for a log. A torn parcel is an exception then.</param>
internal sealed class SideLog(string path, bool buffered, bool tally) : IDisposable
{
    private long _enqueued, _consumed;

    private readonly FileStream _file = new(path, FileMode.Append, FileAccess.Write, FileShare.Read, buffered ? 1 << 16 : 0);
    private readonly byte[] _line = new byte[160];

    /// <summary>
    /// When the call began that the next lines are about, in ticks of the system's monotonic clock. They say that,
    /// and when each was written; 0: neither.
    /// </summary>
    public long Began { get; set; }

    /// <summary>A call begins now.</summary>
    public void Begin() => Began = Stopwatch.GetTimestamp();

    private string Times() => Began == 0 ? "" : $" {Began} {Stopwatch.GetTimestamp()}";

    /// <summary>E: enqueued.</summary>
    public void Enqueued(int producer, long number) => Write('E', producer, number, 0);

    /// <summary>E, for a batch that was acknowledged with one return: one write too.</summary>
    public void EnqueuedBatch(int producer, long first, int count)
    {
        if (tally)
        {
            _enqueued += count;
            return;
        }
        var lines = new StringBuilder();
        string times = Times();
        for (int i = 0; i < count; i++)
        {
            lines.Append($"E {producer} {first + i} 0{times}\n");
        }
        _file.Write(Encoding.ASCII.GetBytes(lines.ToString()));
    }

    /// <summary>D: taken and consumed in one step; T: the same, but the parcel is torn.</summary>
    public void Dequeued(IParcel parcel) => Write(ParcelBytes.IsIntact(parcel) ? 'D' : 'T', parcel.Producer, parcel.Number, 0);

    /// <summary>R: leased and read; T: the same, but the parcel is torn.</summary>
    public void Leased(IParcel parcel, int attempt) =>
        Write(ParcelBytes.IsIntact(parcel) ? 'R' : 'T', parcel.Producer, parcel.Number, attempt);

    /// <summary>C: a lease was committed.</summary>
    public void Committed(IParcel parcel, int attempt) => Write('C', parcel.Producer, parcel.Number, attempt);

    /// <summary>C, for leases that were committed with one call: one write too.</summary>
    public void CommittedBatch((int Producer, long Number)[] names, int[] attempts)
    {
        if (tally)
        {
            _consumed += names.Length;
            return;
        }
        var lines = new StringBuilder();
        string times = Times();
        for (int i = 0; i < names.Length; i++)
        {
            lines.Append($"C {names[i].Producer} {names[i].Number} {attempts[i]}{times}\n");
        }
        _file.Write(Encoding.ASCII.GetBytes(lines.ToString()));
    }

    /// <summary>L: a message was set aside.</summary>
    public void Buried(IParcel parcel, int attempt) => Write('L', parcel.Producer, parcel.Number, attempt);

    /// <summary>A: a lease was given back.</summary>
    public void Abandoned(IParcel parcel, int attempt) => Write('A', parcel.Producer, parcel.Number, attempt);

    /// <summary>O: a lease had ended when it was to be, by its time-out.</summary>
    public void Lost(IParcel parcel, int attempt) => Write('O', parcel.Producer, parcel.Number, attempt);

    /// <summary>Z: taken from the dead letters.</summary>
    public void FoundAmongLetters(IParcel parcel) => Write(ParcelBytes.IsIntact(parcel) ? 'Z' : 'T', parcel.Producer, parcel.Number, 0);

    /// <summary>V: a cursor showed so many messages of a producer, without a gap; a pass without messages begins a new one.</summary>
    public void Viewed(int producer, long first, int count) => Write('V', producer, first, count);

    /// <summary>
    /// X, P, S, M, G, H: what happened that may explain something else: an exception, a purge, a seek, a subscription that was made or
    /// deleted, a thread that the machine let wait.
    /// </summary>
    /// <param name="text">The subscription, if it is about one, and what else there is to say; without line ends.</param>
    public void Happened(char kind, string text) => _file.Write(Encoding.UTF8.GetBytes($"{kind}{Times()} {text}\n"));

    private void Write(char kind, int producer, long number, int attempt)
    {
        if (tally)
        {
            _enqueued += kind == 'E' ? 1 : 0;
            _consumed += kind is 'C' or 'D' ? 1 : 0;
            if (kind == 'T')
            {
                throw new InvalidOperationException($"Parcel {producer}/{number} is torn.");
            }
            return;
        }
        Encoding.ASCII.TryGetBytes($"{kind} {producer} {number} {attempt}{Times()}\n", _line, out int length);
        _file.Write(_line, 0, length);
    }

    public void Dispose()
    {
        _file.Dispose();
        if (tally)
        {
            Console.Out.WriteLine($"tally {_enqueued} {_consumed}");
        }
    }
}
