using System.Runtime.Versioning;
using System.Security.Cryptography;
using System.Text;

namespace BlitQueue.Bench.Transports;

/// <summary>An event with a name, and a word in a mapped file for the number: what a sleeper of Windows asks for at least.</summary>
[SupportedOSPlatform("windows")]
internal readonly unsafe struct EventEnds(string path) : ISender, IReceiver
{
    private readonly SharedBytes _shared = new(path, WordSender.FileSize);

    // A name has no backslashes, as a path has.
    private readonly EventWaitHandle _event = new(
        initialState: false, EventResetMode.AutoReset,
        "Local\\blitqueue-bench-" + Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(path))));

    public void Send(long number)
    {
        Volatile.Write(ref *(long*)_shared.Start, number);
        _event.Set();
    }

    public long Receive()
    {
        _event.WaitOne();
        return Volatile.Read(ref *(long*)_shared.Start);
    }

    public void Dispose()
    {
        _event.Dispose();
        _shared.Dispose();
    }
}
