using System.Diagnostics;
using System.Globalization;
using System.Text;
using BlitQueue.Peer;

namespace BlitQueue.Reliability.Kills;

/// <summary>
/// The campaign's own log, in the form of the workers' logs. The campaign is not killed, so it need not be written line by line.
/// </summary>
/// <param name="number">The producer's number.</param>
internal sealed class OwnLog(string path, int number) : IDisposable
{
    private readonly StreamWriter _file = new(path, append: false, Encoding.ASCII);

    private readonly Lock _sync = new();

    public int Number => number;

    public void Enqueued(long message) => Write('E', number, message, 0);

    public void Dequeued(IParcel parcel) => Write(ParcelBytes.IsIntact(parcel) ? 'D' : 'T', parcel.Producer, parcel.Number, 0);

    public void Leased(IParcel parcel, int attempt)
        => Write(ParcelBytes.IsIntact(parcel) ? 'R' : 'T', parcel.Producer, parcel.Number, attempt);

    public void Committed(IParcel parcel, int attempt) => Write('C', parcel.Producer, parcel.Number, attempt);

    /// <summary>Z: the message stands among the dead letters.</summary>
    public void FoundAmongLetters(IParcel parcel) => Write(ParcelBytes.IsIntact(parcel) ? 'Z' : 'T', parcel.Producer, parcel.Number, 0);

    /// <summary>X: a call threw; H: the machine let a thread wait that does nothing else.</summary>
    /// <param name="began">When the call, or the wait, began, in ticks; it ends now.</param>
    public void Happened(char kind, long began, string text) =>
        Write(string.Create(CultureInfo.InvariantCulture, $"{kind} {began} {Stopwatch.GetTimestamp()} {text}\n"));

    private void Write(char kind, int producer, long message, int attempt) =>
        Write(string.Create(CultureInfo.InvariantCulture, $"{kind} {producer} {message} {attempt}\n"));

    private void Write(string line)
    {
        lock (_sync)
        {
            _file.Write(line);
        }
    }

    public void Dispose() => _file.Dispose();
}
