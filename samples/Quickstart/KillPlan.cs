using System.Diagnostics;

namespace Quickstart;

/// <summary>
/// Kills the consumer at a third of the input and the producer at two thirds, in whatever they are doing, and starts new ones. A limit
/// that the producer does not pass makes sure that both are midway, however late the kill comes.
/// </summary>
internal sealed class KillPlan
{
    // Less than this is over before anybody can be killed.
    private const long SmallInput = 8 << 20;
    private static readonly TimeSpan SmallInputDuration = TimeSpan.FromSeconds(2);

    private readonly Scoreboard _scores;
    private readonly Screen _screen;
    private readonly long _bytes;
    private readonly long _started = Stopwatch.GetTimestamp();
    private readonly Queue<Step> _steps;

    public KillPlan(Scoreboard scores, Screen screen, long bytes, Worker producer, Worker consumer)
    {
        _scores = scores;
        _screen = screen;
        _bytes = bytes;
        _steps = new Queue<Step>(
        [
            new Step(consumer, Score.Consumed, Score.Reached, KillAt: bytes / 3, Limit: bytes / 2),
            new Step(producer, Score.Enqueued, Score.Sent, KillAt: bytes * 2 / 3, Limit: bytes * 5 / 6),
        ]);
        _scores[Score.Limit] = 0;
        if (IsSlowedDown)
        {
            _screen.Say($"the input is small: it is slowed down to about {SmallInputDuration.TotalSeconds} s, so that there is a midway");
        }
    }

    /// <summary>Whether the input was so small that it is let through bit by bit: then rates say nothing.</summary>
    public bool IsSlowedDown => _bytes < SmallInput;

    /// <summary>Does what is due.</summary>
    public void Advance()
    {
        if (!_steps.TryPeek(out Step? step))
        {
            return;
        }
        _scores[Score.Limit] = Math.Min(step.Limit, PassedByNow());
        if (step.Victim.HasExited)
        {
            throw new IOException($"the {step.Victim.Name} ended before it could be killed.");
        }
        if (_scores[step.Progress] >= step.KillAt)
        {
            KillAndReplace(step);
            _steps.Dequeue();
            _scores[Score.Limit] = _steps.Count > 0 ? _scores[Score.Limit] : long.MaxValue;
        }
    }

    private void KillAndReplace(Step step)
    {
        step.Victim.Kill();
        _screen.Say(
            $"killed the {step.Victim.Name} (process {step.Victim.Id}) after {_scores[step.Messages]:N0} messages, "
            + $"at {100.0 * _scores[step.Progress] / _bytes:F0} % of the input");
        step.Victim.Replace();
        _screen.Say($"started a new {step.Victim.Name} (process {step.Victim.Id})");
    }

    private long PassedByNow() =>
        IsSlowedDown ? (long)(_bytes * (Stopwatch.GetElapsedTime(_started) / SmallInputDuration)) : _bytes;

    private sealed record Step(Worker Victim, Score Messages, Score Progress, long KillAt, long Limit);
}
