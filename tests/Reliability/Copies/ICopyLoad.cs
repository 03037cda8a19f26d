namespace BlitQueue.Reliability.Copies;

/// <summary>Threads that use a queue, or a store, which is copied meanwhile, and that know what a copy must have.</summary>
internal interface ICopyLoad : IDisposable
{
    /// <summary>What went wrong in the queue itself.</summary>
    string? Fault { get; }

    /// <summary>How many messages were enqueued.</summary>
    long Messages { get; }

    /// <summary>What was noted of the copy that was taken last.</summary>
    string Noted { get; }

    /// <summary>Notes how far the threads are: copying begins.</summary>
    void NoteBegin();

    /// <summary>Notes how far they are: copying is over.</summary>
    void NoteEnd();

    /// <summary>Opens the queue, or store, and lets the threads go on.</summary>
    void Begin();

    /// <summary>Ends the threads and disposes the queue, or store.</summary>
    void End();

    /// <summary>Opens the copy that was taken last, uses it, and compares.</summary>
    /// <returns>In a word what came of it; or a line that begins with "violation".</returns>
    string Check(string path, string way, bool isRestarted);
}
