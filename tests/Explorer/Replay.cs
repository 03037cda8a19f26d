using System.Globalization;
using System.Text;

namespace BlitQueue.Explorer;

/// <summary>Follows one schedule, and tells it.</summary>
internal static class Replay
{
    /// <param name="scenario">The scenario that the schedule is of.</param>
    /// <param name="mode">The memory.</param>
    /// <param name="schedule">As a finding gives it.</param>
    /// <param name="story">A line for each move: who did what, and saw what.</param>
    /// <returns>What is wrong; null when nothing is, or the schedule ends before that.</returns>
    public static string? Run(Scenario scenario, MemoryMode mode, string schedule, out string story)
    {
        string? fault;
        do
        {
            scenario.Bench.Words.HasGrown = false;
            fault = Follow(scenario, mode, schedule.Split(' ', StringSplitOptions.RemoveEmptyEntries), out story);
        }
        while (scenario.Bench.Words.HasGrown);
        return fault;
    }

    private static string? Follow(Scenario scenario, MemoryMode mode, string[] schedule, out string story)
    {
        var world = new World(scenario, mode);
        var text = new StringBuilder();
        WorldState state = world.Begin();
        var moves = new List<Move>();
        foreach (string word in schedule)
        {
            var move = Move.Parse(word);
            world.FindMoves(state, moves);
            if (!moves.Contains(move))
            {
                state.Fault ??= $"the schedule does not fit: {word} cannot happen here";
            }
            if (state.Fault is not null || scenario.Bench.Words.HasGrown)
            {
                break;
            }
            string what = Describe(world, state, move, out bool observes);
            long seen = world.Make(state, move);
            text.Append(what).AppendLine(observes ? $": {Number(seen)}{OutcomeOf(move, what)}" : "");
        }
        story = text.ToString();
        world.FindMoves(state, moves);
        return state.Fault ?? (World.IsEnd(moves) && !scenario.Bench.Words.HasGrown ? world.Judge(state) : null);
    }

    private static string OutcomeOf(Move move, string what) =>
        move.Outcome == 0 ? ""
            : what.Contains(nameof(AccessKind.Clock), StringComparison.Ordinal) ? ", time has passed"
            : $", {move.Outcome} older than the latest";

    private static string Describe(World world, WorldState state, Move move, out bool observes)
    {
        string who = $"{world.Scenario.Actors[move.Actor].Name,-10} ";
        observes = false;
        if (move.Kind != MoveKind.Step)
        {
            return who + move.Kind switch
            {
                MoveKind.Drain => "-- its oldest buffered write arrives",
                MoveKind.Kill => "-- is killed",
                MoveKind.Stop => "-- is stopped",
                MoveKind.Continue => "-- goes on",
                _ => "-- its sleep's time runs out",
            };
        }
        Access access = world.Tree[state.At[move.Actor]].Access;
        observes = access.Observes;
        return who + Describe(
            access, access.Kind == AccessKind.Alive || access.Word < 0 ? "" : world.Scenario.Bench.Words.Name(access.Word));
    }

    private static string Describe(in Access access, string word) => access.Kind switch
    {
        AccessKind.Store or AccessKind.Write => $"{access.Kind} {word} = {Number(access.Value)}",
        AccessKind.Exchange => $"{access.Kind} {word}, {Number(access.Expected)} -> {Number(access.Value)}",
        AccessKind.Sleep when access.SecondWord >= 0 =>
            $"{access.Kind} on {word} and another while {(int)access.Expected}, {access.Expected >> 32}",
        AccessKind.Sleep => $"{access.Kind} on {word} while {Number(access.Expected)}",
        AccessKind.Alive => $"asks whether process {access.Word} lives",
        _ => $"{access.Kind} {word}",
    };

    private static string Number(long value) =>
        value is > -10_000_000 and < 10_000_000 ? value.ToString(CultureInfo.InvariantCulture) : $"0x{value:x}";
}
