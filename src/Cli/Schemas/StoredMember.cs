namespace BlitQueue.Cli.Schemas;

/// <summary>A member of a message.</summary>
/// <param name="Name">Its name; of a union's case its tag.</param>
/// <param name="Number">Its number in a version-tolerant message, a union's tag; -1 in others.</param>
/// <param name="Kind">What it is.</param>
internal sealed record StoredMember(string Name, int Number, Kind Kind);
