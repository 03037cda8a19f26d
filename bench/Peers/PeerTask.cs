namespace BlitQueue.Bench.Peers;

/// <summary>What the second process is to do.</summary>
/// <param name="Transport">Over which transport.</param>
/// <param name="Place">The directory that both use.</param>
/// <param name="Answers">Whether it answers each message, or only receives.</param>
internal sealed record PeerTask(string Transport, string Place, bool Answers);
