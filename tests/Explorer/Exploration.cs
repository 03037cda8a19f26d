namespace BlitQueue.Explorer;

/// <summary>What an exploration has come to.</summary>
/// <param name="Finding">The first violation; null when there was none.</param>
/// <param name="IsComplete">Whether everything was seen: the limit was not reached, and nothing found.</param>
/// <param name="States">Different states seen.</param>
/// <param name="Moves">Moves made.</param>
/// <param name="Ends">Different states in which nothing more happens.</param>
/// <param name="Schedules">
/// Different schedules from the beginning to an end, counted along the states: those that meet go on as one.
/// </param>
/// <param name="Kills">Moves among them that killed a process: so many crash points.</param>
/// <param name="CodeRuns">How often the real code ran.</param>
internal sealed record Exploration(
    Finding? Finding, bool IsComplete, long States, long Moves, long Ends, double Schedules, long Kills, long CodeRuns);
