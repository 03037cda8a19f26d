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
    private readonly byte[] _line = new byte[96];

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
        for (int i = 0; i < count; i++)
        {
            lines.Append($"E {producer} {first + i} 0\n");
        }
        _file.Write(Encoding.ASCII.GetBytes(lines.ToString()));
    }

    /// <summary>D: taken and consumed in one step; T: the same, but the parcel is torn.</summary>
    public void Dequeued(Parcel parcel) => Write(parcel.IsIntact() ? 'D' : 'T', parcel.Producer, parcel.Number, 0);

    /// <summary>R: leased and read; T: the same, but the parcel is torn.</summary>
    public void Leased(Parcel parcel, int attempt) =>
        Write(parcel.IsIntact() ? 'R' : 'T', parcel.Producer, parcel.Number, attempt);

    /// <summary>C: a lease was committed.</summary>
    public void Committed(Parcel parcel, int attempt) => Write('C', parcel.Producer, parcel.Number, attempt);

    /// <summary>C, for leases that were committed with one call: one write too.</summary>
    public void CommittedBatch((int Producer, long Number)[] names, int[] attempts)
    {
        if (tally)
        {
            _consumed += names.Length;
            return;
        }
        var lines = new StringBuilder();
        for (int i = 0; i < names.Length; i++)
        {
            lines.Append($"C {names[i].Producer} {names[i].Number} {attempts[i]}\n");
        }
        _file.Write(Encoding.ASCII.GetBytes(lines.ToString()));
    }

    /// <summary>L: a message was set aside.</summary>
    public void Buried(Parcel parcel, int attempt) => Write('L', parcel.Producer, parcel.Number, attempt);

    /// <summary>A: a lease was given back.</summary>
    public void Abandoned(Parcel parcel, int attempt) => Write('A', parcel.Producer, parcel.Number, attempt);

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
        Encoding.ASCII.TryGetBytes($"{kind} {producer} {number} {attempt}\n", _line, out int length);
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
