using System.Diagnostics;

namespace Quickstart;

/// <summary>
/// Kills the consumer at a third of the input and the producer at two thirds, in whatever they are doing, and starts new ones. A limit
/// that the producer does not pass makes sure that both are midway, however late the kill comes.
/// </summary>
internal sealed class KillPlan(Scoreboard scores, Screen screen, long bytes)
{
    // Less than this is over before anybody can be killed.
    private const long SmallInput = 8 << 20;
    private static readonly TimeSpan SmallInputDuration = TimeSpan.FromSeconds(2);

    private readonly Queue<Step> _steps = [];
    private long _started;

    /// <summary>Whether the input was so small that it is let through bit by bit: then rates say nothing.</summary>
    public bool IsSlowedDown => bytes < SmallInput;

    public void Begin(Worker producer, Worker consumer)
    {
        if (bytes == 0)
        {
            screen.Say("the input is empty: there is no midway, so nobody is killed");
            scores[Score.Limit] = long.MaxValue;
            return;
        }
        if (IsSlowedDown)
        {
            screen.Say($"the input is small: it is slowed down to about {SmallInputDuration.TotalSeconds} s, so that there is a midway");
        }
        _steps.Enqueue(new Step(consumer, Score.Consumed, Score.Reached, KillAt: bytes / 3, Limit: bytes / 2));
        _steps.Enqueue(new Step(producer, Score.Enqueued, Score.Sent, KillAt: bytes * 2 / 3, Limit: bytes * 5 / 6));
        _started = Stopwatch.GetTimestamp();
    }

    /// <summary>Does what is due.</summary>
    public void Advance()
    {
        if (!_steps.TryPeek(out Step? step))
        {
            return;
        }
        scores[Score.Limit] = Math.Min(step.Limit, PassedByNow());
        if (step.Victim.HasExited)
        {
            throw new IOException($"the {step.Victim.Name} ended before it could be killed.");
        }
        if (scores[step.Progress] >= step.KillAt)
        {
            KillAndReplace(step);
            _steps.Dequeue();
            scores[Score.Limit] = _steps.Count > 0 ? scores[Score.Limit] : long.MaxValue;
        }
    }

    private void KillAndReplace(Step step)
    {
        step.Victim.Kill();
        screen.Say(
            $"killed the {step.Victim.Name} (process {step.Victim.Id}) after {scores[step.Messages]:N0} messages, "
            + $"at {100.0 * scores[step.Progress] / bytes:F0} % of the input");
        step.Victim.Replace();
        screen.Say($"started a new {step.Victim.Name} (process {step.Victim.Id})");
    }

    private long PassedByNow() =>
        IsSlowedDown ? (long)(bytes * (Stopwatch.GetElapsedTime(_started) / SmallInputDuration)) : bytes;

    private sealed record Step(Worker Victim, Score Messages, Score Progress, long KillAt, long Limit);
}
