using System.Runtime.CompilerServices;

namespace BlitQueue.Explorer;

/// <summary>
/// One run of the real code of a step. What it sees first is what a path of the tree says it saw; from there on it goes as far as nothing
/// depends on others, and is then left.
/// </summary>
internal sealed unsafe class StepRun(
    WordTable words, IReadOnlyList<(Access Access, long Value)> known, Weakness? weakness, Func<long, int> processOfLock,
    bool timed = false)
{
    /// <summary>Milliseconds: longer than a lease may last, by which there are fewer between all looks of one process.</summary>
    public const long TickLength = 10_000_000;

    private const int Most = 20_000, Told = 40;

    [ThreadStatic]
    public static StepRun? Current;

    private readonly List<Access> _fresh = [];
    private int _emitted;
    private long _milliseconds = 1_000_000;

    /// <summary>As <see cref="Scenario.GivesUpFences"/>.</summary>
    public bool GivesUpFences { get; init; }

    /// <summary>As <see cref="Scenario.Biases"/>.</summary>
    public bool Biases { get; init; }

    /// <summary>As <see cref="Actor.HasHeavyFence"/>.</summary>
    public bool HasHeavyFence { get; init; } = true;

    /// <summary>Whether the process can fence others, and nobody's system keeps it from that.</summary>
    public bool SleepersPay { get; init; } = true;

    /// <summary>What the step does next, to the first access that sees something, or the end.</summary>
    public List<Access> Fresh => _fresh;

    /// <summary>Whether the run is being left: whatever is called on the way out counts no more.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Goes through the step's code.</summary>
    public void Go(Action step, Func<Exception, int> fault)
    {
        Current = this;
        weakness?.Begin();
        try
        {
            step();
            Finish();
        }
        catch (StepEnd)
        {
        }
        catch (Exception exception) when (!IsOver)
        {
            Put(new Access(AccessKind.Note, (int)NoteKind.Fault, fault(exception)));
            Put(new Access(AccessKind.End));
        }
        catch (Exception)
        {
            // Thrown on the way out, by code that was told nothing any more.
        }
        finally
        {
            Current = null;
        }
    }

    private void Finish()
    {
        foreach (Access access in weakness?.Flush() ?? [])
        {
            Put(access);
        }
        Put(new Access(AccessKind.End));
    }

    public long Observe(AccessKind kind, nint address, int size = sizeof(long))
    {
        int word = words.Find(address);
        return word < 0 ? words.Initial(address, size) : See(new Access(kind, word));
    }

    public long Exchange(nint address, long value, long expected) =>
        See(new Access(AccessKind.Exchange, words.FindWritten(address, sizeof(long)), value, expected));

    public void Write(AccessKind kind, nint address, long value, int size = sizeof(long))
    {
        if (!IsOver)
        {
            Emit(new Access(kind, words.FindWritten(address, size), value));
        }
    }

    public void Sleep(nint address, int expected) =>
        Emit(new Access(AccessKind.Sleep, words.FindWritten(address, sizeof(long)), Expected: (uint)expected));

    /// <summary>Sleeps until one of two words is woken.</summary>
    public void SleepOnEither((nint Address, int Expected) one, (nint Address, int Expected) other) => Emit(new Access(
        AccessKind.Sleep, words.FindWritten(one.Address, sizeof(long)), 1 + words.FindWritten(other.Address, sizeof(long)),
        ((long)other.Expected << 32) | (uint)one.Expected));

    public void Wake(nint address) => Emit(new Access(AccessKind.Wake, words.FindWritten(address, sizeof(long))));

    public bool IsAlive(long lockOffset) => See(new Access(AccessKind.Alive, processOfLock(lockOffset))) != 0;

    // Each look at the clock is later than the one before, by so much that nothing is too early to be done again.
    public long Milliseconds() => (_milliseconds += 1000) + (timed ? See(new Access(AccessKind.Clock)) * TickLength : 0);

    /// <summary>Reads bytes word by word, and shows them to the plain instructions that follow.</summary>
    public void ReadBytes(ReadOnlySpan<byte> bytes)
    {
        foreach (nint address in WordsOf(bytes))
        {
            WordTable.Show(address, sizeof(long), Observe(AccessKind.Read, address));
        }
    }

    /// <summary>Takes what plain instructions have written for writes, word by word.</summary>
    public void WriteBytes(ReadOnlySpan<byte> bytes)
    {
        foreach (nint address in WordsOf(bytes))
        {
            Write(AccessKind.Write, address, *(long*)address);
        }
    }

    public void Note(NoteKind kind, long value) => Emit(new Access(AccessKind.Note, (int)kind, value));

    public void Emit(in Access access)
    {
        if (IsOver)
        {
            return;
        }
        if (weakness is null)
        {
            Put(access);
            return;
        }
        foreach (Access put in weakness.Distort(access, NameOf(access)))
        {
            Put(put);
        }
    }

    private long See(in Access access)
    {
        if (IsOver)
        {
            throw StepEnd.Instance;
        }
        if (weakness?.Pretend(access, NameOf(access)) is { } pretended)
        {
            foreach (Access put in weakness.Instead(access))
            {
                Put(put);
            }
            return pretended;
        }
        Emit(access);
        if (_emitted <= known.Count)
        {
            return known[_emitted - 1].Value;
        }
        IsOver = true;
        throw StepEnd.Instance;
    }

    private string NameOf(in Access access) =>
        access.Word < 0 || access.Kind is AccessKind.Note or AccessKind.Alive ? "" : words.Name(access.Word);

    private void Put(in Access access)
    {
        if (++_emitted > known.Count)
        {
            _fresh.Add(access);
        }
        else if (known[_emitted - 1].Access != access)
        {
            throw new InvalidOperationException(
                "The step's code did something else when it was told the same: something in it is not simulated.");
        }
        if (_emitted > Most)
        {
            throw new InvalidOperationException(
                "The step goes on without end, and without looking at anything that others change. Last: "
                    + string.Join(", ", known.TakeLast(Told).Select(seen => $"{seen.Access.Kind} {NameOf(seen.Access)} {seen.Value:x}")));
        }
    }

    private nint[] WordsOf(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty || IsOver)
        {
            return [];
        }
        nint start = (nint)Unsafe.AsPointer(ref Unsafe.AsRef(in bytes[0]));
        if (!words.Contains(start))
        {
            return [];
        }
        nint[] addresses = new nint[(bytes.Length + 7) / 8];
        for (int i = 0; i < addresses.Length; i++)
        {
            addresses[i] = start + (i * sizeof(long));
        }
        return addresses;
    }
}
