using BlitQueue.Log;

namespace BlitQueue;

/// <summary>The findings of a verification, which reads all files of a queue, a store or lanes. It changes nothing.</summary>
public sealed record VerifyReport
{
    /// <summary>The directory, absolute.</summary>
    public required string Path { get; init; }

    /// <summary>What is damaged, missing or does not fit, in the order in which it was found; empty if everything is sound.</summary>
    public required IReadOnlyList<RecoveryFinding> Findings { get; init; }

    /// <summary>Every subscription of every queue, also of dead-letter queues.</summary>
    public required IReadOnlyList<VerifiedSubscription> Subscriptions { get; init; }

    /// <summary>How many files were read.</summary>
    public required int Files { get; init; }

    /// <summary>How many bytes were read.</summary>
    public required long Bytes { get; init; }

    /// <summary>How many of the files are segments that have records, or may have some.</summary>
    public required int Segments { get; init; }

    /// <summary>How many undamaged records there are, padding included.</summary>
    public required long Records { get; init; }

    /// <summary>Messages among them, consumed ones that are still on disk included; without dead letters.</summary>
    public required long MessageCount { get; init; }

    /// <summary>Whether nothing was found.</summary>
    public bool IsSound => Findings.Count == 0;

    /// <summary>The same for people: a line for what was read, tables of what was found and of the subscriptions.</summary>
    public override string ToString()
    {
        string head = string.Create(
            CultureInfo.InvariantCulture,
            $"{Path}: {(IsSound ? "sound" : $"{Findings.Count:N0} findings")}; {Files:N0} files, {Bytes:N0} bytes, {Segments:N0} segments, "
                + $"{Records:N0} records, {MessageCount:N0} messages");
        var table = new TextTable("queue", "subscription", "next", "waiting", "held");
        foreach (VerifiedSubscription one in Subscriptions)
        {
            table.Add(System.IO.Path.GetFileName(one.Queue), one.Name, one.Next.Value, one.Waiting, one.Held);
        }
        string[] found = IsSound ? [] : [RecoveryFinding.TableOf(Findings)], subscriptions = table.IsEmpty ? [] : [table.ToString()];
        return string.Join('\n', [head, .. found, .. subscriptions]);
    }
}
