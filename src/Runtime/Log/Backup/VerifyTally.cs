namespace BlitQueue.Log;

/// <summary>Adds up what a verification has read and found in all of its queues.</summary>
internal sealed class VerifyTally(IProgress<QueueProgress>? progress, CancellationToken cancellationToken)
{
    public List<RecoveryFinding> Findings { get; } = [];

    public List<VerifiedSubscription> Subscriptions { get; } = [];

    public int Files { get; private set; }

    public long Bytes { get; private set; }

    public int Segments { get; set; }

    public long Records { get; set; }

    public long Messages { get; set; }

    /// <summary>How many bytes are to be read, as far as that is known.</summary>
    public long Total { get; set; }

    /// <summary>Notes that a file was read.</summary>
    public void Read(string path, long bytes)
    {
        Files++;
        Bytes += bytes;
        progress?.Report(new QueueProgress(path, Bytes, Math.Max(Total, Bytes)));
    }

    /// <exception cref="OperationCanceledException">The caller has cancelled the verification.</exception>
    public void ThrowIfCancelled() => cancellationToken.ThrowIfCancellationRequested();

    /// <summary>Adds what is wrong with a file as a whole.</summary>
    public void Found(string path, string what) => Findings.Add(new RecoveryFinding(path, 0, 0, what));

    /// <summary>Reads a file; errors become findings instead of exceptions.</summary>
    /// <returns>null if the file cannot be read.</returns>
    public TRead? Try<TRead>(string path, Func<TRead?> read)
        where TRead : class
    {
        try
        {
            return read();
        }
        catch (QueueCorruptException exception)
        {
            Findings.Add(new RecoveryFinding(exception.Path, exception.Offset, 0, exception.Message));
        }
        catch (FileNotFoundException)
        {
            Found(path, "it is missing");
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            Found(path, $"it cannot be read: {exception.Message}");
        }
        return null;
    }

    /// <summary>Reads something that has more than one file; errors of the system become findings instead of exceptions.</summary>
    public void Try(string path, Action read) => Try<object>(path, () =>
    {
        read();
        return this;
    });

    public VerifyReport Report(string path) => new()
    {
        Path = path,
        Findings = Findings,
        Subscriptions = Subscriptions,
        Files = Files,
        Bytes = Bytes,
        Segments = Segments,
        Records = Records,
        MessageCount = Messages,
    };
}
