using System.Diagnostics;
using System.IO.MemoryMappedFiles;

namespace Quickstart;

/// <summary>
/// Counters in a mapped file: the launcher sees them as they change, and a successor goes on where a killed process stopped counting.
/// Each score has one writer at a time.
/// </summary>
internal sealed class Scoreboard : IDisposable
{
    private static readonly int Size = Enum.GetValues<Score>().Length * sizeof(long);

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;

    public Scoreboard(Workspace workspace)
    {
        _file = MemoryMappedFile.CreateFromFile(workspace.Scoreboard, FileMode.OpenOrCreate, null, Size);
        _view = _file.CreateViewAccessor(0, Size);
    }

    public long this[Score score]
    {
        get => _view.ReadInt64((int)score * sizeof(long));
        set => _view.Write((int)score * sizeof(long), value);
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
        while (bytes > this[Score.Limit])
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
