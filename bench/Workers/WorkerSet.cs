namespace BlitQueue.Bench.Peers;

/// <summary>The other processes, each started when first asked for.</summary>
internal sealed class PeerSet : IDisposable
{
    private readonly List<Peer> _peers = [];

    /// <summary>The second process (0), the third (1) ...</summary>
    public Peer this[int index]
    {
        get
        {
            while (_peers.Count <= index)
            {
                _peers.Add(new Peer());
            }
            return _peers[index];
        }
    }

    public void Dispose() => _peers.ForEach(static peer => peer.Dispose());
}
