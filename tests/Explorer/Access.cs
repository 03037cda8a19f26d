namespace BlitQueue.Explorer;

/// <summary>One thing that a process does.</summary>
/// <param name="Kind">What.</param>
/// <param name="Word">The word's number; of <see cref="AccessKind.Alive"/> the process, of a note its <see cref="NoteKind"/>.</param>
/// <param name="Value">What is written, or noted; of a sleep on two words one more than the second word's number, else 0.</param>
/// <param name="Expected">What the word is expected to be; of a sleep the ticket, and in the upper half that of the second word.</param>
internal readonly record struct Access(AccessKind Kind, int Word = -1, long Value = 0, long Expected = 0)
{
    /// <summary>Whether what the process does next depends on what it sees here.</summary>
    public bool Observes => Kind is AccessKind.Load or AccessKind.Read or AccessKind.Exchange or AccessKind.Alive or AccessKind.Clock;

    /// <summary>Whether it is a sleep on this word.</summary>
    public bool SleepsOn(int word) => Kind == AccessKind.Sleep && word >= 0 && (Word == word || SecondWord == word);

    /// <summary>Of a sleep the second word; negative where there is none.</summary>
    public int SecondWord => Kind == AccessKind.Sleep ? (int)Value - 1 : -1;

    /// <summary>Whether no other process can tell when it happens.</summary>
    public bool IsSilent => Kind is AccessKind.Note;

    public bool Writes => Kind is AccessKind.Store or AccessKind.Write or AccessKind.Exchange or AccessKind.Increment;
}
