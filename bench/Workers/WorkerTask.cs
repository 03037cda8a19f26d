namespace BlitQueue.Bench.Peers;

/// <summary>What another process is to do.</summary>
/// <param name="Work">What.</param>
/// <param name="Transport">Over which transport.</param>
/// <param name="Place">The directory that all use.</param>
/// <param name="Duration">For how long, where it sends.</param>
internal sealed record PeerTask(PeerWork Work, string Transport, string Place, TimeSpan Duration = default);
