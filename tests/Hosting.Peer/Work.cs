namespace BlitQueue.Hosting.Peer;

/// <summary>How the peer works: what it writes down, how long a job takes, and whether it sees its token.</summary>
internal sealed record Work(string LogPath, int Milliseconds, bool IsDeaf);
