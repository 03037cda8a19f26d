using System.Diagnostics;

namespace BlitQueue.Peer;

/// <summary>
/// A thread that does nothing, and logs when the machine woke it late: who depends on this process had
/// to wait then, whatever the queue does.
/// </summary>
internal sealed class Canary : IDisposable
{
    private static readonly TimeSpan Nap = TimeSpan.FromMilliseconds(5), Late = TimeSpan.FromMilliseconds(20);

    private readonly SideLog _log;
    private readonly Thread _thread;
    private volatile bool _ended;

    public Canary(string log)
    {
        _log = new SideLog(log, buffered: false, tally: false);
        _thread = new Thread(Sleep) { IsBackground = true, Name = "canary" };
        _thread.Start();
    }

    private void Sleep()
    {
        while (!_ended)
        {
            _log.Begin();
            long began = Stopwatch.GetTimestamp();
            Thread.Sleep(Nap);
            if (Stopwatch.GetElapsedTime(began) - Nap > Late)
            {
                _log.Happened('H', "-");
            }
        }
    }

    public void Dispose()
    {
        _ended = true;
        _thread.Join();
        _log.Dispose();
    }
}
