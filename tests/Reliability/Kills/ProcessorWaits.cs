using System.Buffers.Text;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Reliability.Kills;

/// <summary>How long the thread that makes this was ready to run, and no processor was free: the machine's share of how long its calls took.</summary>
internal sealed class ProcessorWaits : IDisposable
{
    // Of the thread that opens it: nanoseconds on a processor, nanoseconds ready to run but on none, and how often it was given one.
    private readonly SafeFileHandle _statistics = File.OpenHandle("/proc/thread-self/schedstat");

    /// <summary>Since the thread began; the one that it waits in now is not counted yet.</summary>
    public TimeSpan SoFar
    {
        get
        {
            Span<byte> text = stackalloc byte[96];
            text = text[..RandomAccess.Read(_statistics, text, 0)];
            text = text[(text.IndexOf((byte)' ') + 1)..];
            return Utf8Parser.TryParse(text, out long nanoseconds, out _) ? TimeSpan.FromTicks(nanoseconds / TimeSpan.NanosecondsPerTick) : TimeSpan.Zero;
        }
    }

    public void Dispose() => _statistics.Dispose();
}
