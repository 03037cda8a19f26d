using System.Diagnostics;

namespace Quickstart;

/// <summary>What the user sees while it runs: on a terminal a line that changes, elsewhere a line now and then.</summary>
internal sealed class Screen(Scoreboard scores, long bytes)
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(500);
    private static readonly bool IsTerminal = !Console.IsOutputRedirected;

    private long _shown = Stopwatch.GetTimestamp();
    private bool _isLineOpen;

    /// <summary>Shows how far it is, if that was not shown a moment ago.</summary>
    public void ShowProgress()
    {
        if (Stopwatch.GetElapsedTime(_shown) < Interval)
        {
            return;
        }
        _shown = Stopwatch.GetTimestamp();
        string line = $"  {Share(scores[Score.Sent]),3} % sent, {Share(scores[Score.Rebuilt]),3} % rebuilt: "
            + $"{scores[Score.Enqueued]:N0} messages enqueued, {scores[Score.Consumed]:N0} consumed";
        Console.Write(IsTerminal ? $"\r{line}\e[K" : line + Environment.NewLine);
        _isLineOpen = IsTerminal;
    }

    /// <summary>Says something that stays on the screen.</summary>
    public void Say(string text)
    {
        EndLine();
        Console.WriteLine($"  {text}");
    }

    /// <summary>Leaves the changing line as it is.</summary>
    public void EndLine()
    {
        if (_isLineOpen)
        {
            Console.WriteLine();
        }
        _isLineOpen = false;
    }

    private long Share(long part) => bytes == 0 ? 100 : Math.Min(100, 100 * part / bytes);
}
