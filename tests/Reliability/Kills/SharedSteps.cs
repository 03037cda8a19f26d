using BlitQueue.Log;
using BlitQueue.Peer;
using static BlitQueue.Reliability.Kills.StepCase;

namespace BlitQueue.Reliability.Kills;

/// <summary>Deaths at the steps of shared objects: what the dead one leaves is whole, and the next process goes on at once.</summary>
internal static class SharedSteps
{
    private const string File = "shared";

    // Only a lock that never comes takes so long.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    public static IEnumerable<StepCase> Cases() =>
    [
        .. Of(
            "shared value",
            [.. Steps.Named("SharedFile", "SharedValue"), ProtocolStep.SharedLockAcquired, ProtocolStep.SharedLockReleased], Value),
        .. Of("shared value of the dead", [ProtocolStep.SharedLockTakenOver], ValueOfTheDead),
        .. Of("shared array", [ProtocolStep.SharedReaderCounted, ProtocolStep.SharedWriterAlone], Array),
    ];

    private static bool Value(StepPlay play, ProtocolStep step)
    {
        bool died = play.Die(Writer, step);
        GoOnWriting(play);
        return died;
    }

    private static bool ValueOfTheDead(StepPlay play, ProtocolStep step)
    {
        bool died = play.Die(Writer, ProtocolStep.SharedLockAcquired, 1) && play.Die(Writer, step, 1);
        GoOnWriting(play);
        return died;
    }

    private static Job Writer => new("shared-write") { Queue = File, Options = ["count=20"] };

    // A writer's n-th value has the number n.
    private static void GoOnWriting(StepPlay play)
    {
        using var value = SharedValue<SharedBlock>.OpenFile(PathOf(play));
        SharedBlock left = value.Read(out long version);
        play.Trial.Require(left.IsWhole() && left.Number == version, $"version {version} of the value is {left.Number}, or parts of two");
        value.Write(SharedBlock.Of(version + 1), Patience);
        play.Trial.Require(value.Read().Number == version + 1, $"the value that was written behind version {version} is not there");
    }

    private static bool Array(StepPlay play, ProtocolStep step)
    {
        using var array = SharedArray<long>.OpenFile(PathOf(play), 2);
        string command = step == ProtocolStep.SharedReaderCounted ? "shared-hold-read" : "shared-count";
        int time = step == ProtocolStep.SharedWriterAlone ? play.Time : 1;
        bool died = play.Die(new Job(command) { Queue = File, Options = ["count=20"] }, step, time);
        using SharedLockScope scope = array.AcquireWrite(Patience);
        play.Trial.Require(array[0] == array[1] || scope.WasAbandoned, $"{array[0]} and {array[1]} do not fit, and no writer died");
        return died;
    }

    private static string PathOf(StepPlay play) => Path.Combine(play.Trial.Root, File);
}
