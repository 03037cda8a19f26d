namespace BlitQueue.Explorer;

/// <summary>The words as one state of the exploration has them.</summary>
internal abstract class SimulatedMemory
{
    /// <summary>A copy to go on with.</summary>
    public abstract SimulatedMemory Clone();

    /// <summary>In how many ways an access of a process may come out now.</summary>
    public abstract int Outcomes(int actor, in Access access);

    /// <summary>Lets the access come out.</summary>
    /// <returns>What is seen; 0 where nothing is.</returns>
    public abstract long Do(int actor, in Access access, int outcome);

    /// <summary>Whether the memory can move by itself: a write of the process that others do not see yet.</summary>
    public virtual bool CanDrain(int actor) => false;

    /// <summary>Whether a write of a process to a word has not arrived.</summary>
    public virtual bool IsUnderWay(int actor, int word) => false;

    /// <summary>Whether two processes have writes of the same word under way.</summary>
    public virtual bool HaveInCommon(int actor, int other) => false;

    /// <summary>Lets it.</summary>
    public virtual void Drain(int actor)
    {
    }

    /// <summary>What a word is once everything has arrived.</summary>
    public abstract long Latest(int word);

    /// <summary>The process is dead, and its lock free: all that it did has arrived.</summary>
    public virtual void MoveToDeadLetters(int actor)
    {
    }

    /// <summary>One process learns from the kernel what another did before.</summary>
    public virtual void Learn(int actor, int from)
    {
    }

    /// <summary>Enough time has passed for a process to see what a word is.</summary>
    public virtual void CatchUp(int actor, int word)
    {
    }

    /// <summary>The process sees nothing any more.</summary>
    public virtual void Leave(int actor)
    {
    }

    /// <summary>Adds all that can make a difference.</summary>
    public abstract void AddTo(ref StateHash hash);

    /// <param name="mode">Which.</param>
    /// <param name="words">The words.</param>
    /// <param name="actors">How many processes.</param>
    /// <param name="wakersPay">Whether the waker's fence is a full one, and the sleeper's one for itself alone.</param>
    /// <param name="fences">Whether processes have fences of their own.</param>
    public static SimulatedMemory Make(MemoryMode mode, WordTable words, int actors, bool wakersPay, bool fences) => mode switch
    {
        MemoryMode.Sequential => new SequentialMemory(words),
        MemoryMode.StoreBuffers => new BufferedMemory(words, actors, wakersPay),
        _ => new ViewMemory(words, actors, wakersPay, fences),
    };

    /// <summary>What a word becomes.</summary>
    protected static long Written(in Access access, long before, int size) => access.Kind switch
    {
        AccessKind.Increment => size == sizeof(int) ? (int)before + 1 : before + 1,
        AccessKind.Exchange => before == access.Expected ? access.Value : before,
        _ => access.Value,
    };
}
