using System.Collections.Concurrent;

namespace BlitQueue.Tests.Processes;

/// <summary>Processes that are started already and wait for work, so that nobody waits for a start.</summary>
internal sealed class PeerPool : IDisposable
{
    private readonly BlockingCollection<Peer> _spares;
    private readonly CancellationTokenSource _closing = new();
    private readonly Thread[] _starters;

    /// <param name="size">How many wait at a time.</param>
    public PeerPool(int size)
    {
        _spares = new BlockingCollection<Peer>(size);
        _starters = [.. Enumerable.Range(0, 2).Select(_ => new Thread(StartSpares) { IsBackground = true, Name = "peer pool" })];
        Array.ForEach(_starters, static starter => starter.Start());
    }

    /// <summary>A process to be employed; waits where none is ready.</summary>
    public Peer Take()
    {
        while (true)
        {
            Peer peer = _spares.Take();
            // One that waited for so long that its watchdog has ended it.
            if (!peer.HasExited)
            {
                return peer;
            }
            peer.Dispose();
        }
    }

    private void StartSpares()
    {
        try
        {
            while (true)
            {
                var peer = Peer.StartSpare();
                try
                {
                    _spares.Add(peer, _closing.Token);
                }
                catch (OperationCanceledException)
                {
                    peer.Dispose();
                    throw;
                }
            }
        }
        catch (OperationCanceledException)
        {
        }
    }

    public void Dispose()
    {
        _closing.Cancel();
        Array.ForEach(_starters, static starter => starter.Join());
        while (_spares.TryTake(out Peer? peer))
        {
            peer.Dispose();
        }
        _spares.Dispose();
        _closing.Dispose();
    }
}
