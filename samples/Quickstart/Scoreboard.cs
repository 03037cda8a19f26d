using System.Diagnostics;
using System.IO.MemoryMappedFiles;

namespace Quickstart;

/// <summary>
/// Counters in a mapped file: the launcher sees them as they change, and a successor goes on where a killed process stopped counting.
/// Each score has one writer at a time.
/// </summary>
internal sealed class Scoreboard : IDisposable
{
    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly long[] _own = new long[Enum.GetValues<Score>().Length];
    private long _limit;

    public Scoreboard(Workspace workspace)
    {
        int size = _own.Length * sizeof(long);
        _file = MemoryMappedFile.CreateFromFile(workspace.Scoreboard, FileMode.OpenOrCreate, null, size);
        _view = _file.CreateViewAccessor(0, size);
        _view.ReadArray(0, _own, 0, _own.Length);
    }

    public long this[Score score]
    {
        get => _view.ReadInt64((int)score * sizeof(long));
        set => _view.Write((int)score * sizeof(long), value);
    }

    /// <summary>Counts on. As nobody else counts this score now, the sum is kept here too and need not be read.</summary>
    public void Add(Score score, long amount)
    {
        if (amount != 0)
        {
            this[score] = _own[(int)score] += amount;
        }
    }

    /// <summary>Notes the time, unless a predecessor did.</summary>
    public void StartClock(Score score)
    {
        if (this[score] == 0)
        {
            this[score] = Stopwatch.GetTimestamp();
        }
    }

    /// <summary>Waits until so many bytes of the input may have passed. Only <c>--kill</c> ever makes anybody wait.</summary>
    public void WaitForLimit(long bytes)
    {
        while (bytes > _limit && bytes > (_limit = this[Score.Limit]))
        {
            Thread.Sleep(1);
        }
    }

    public void Dispose()
    {
        _view.Dispose();
        _file.Dispose();
    }
}
