using System.Diagnostics;

namespace Quickstart;

/// <summary>What the user reads before and after.</summary>
internal static class Report
{
    private const int MostNotes = 10;

    public static void Begin(Input input)
    {
        Console.WriteLine($"BlitQueue quickstart: {Files(input.Files.Count)}, {Size(input.Bytes)} {input.Title}");
        foreach (string note in input.Notes.Take(MostNotes))
        {
            Console.WriteLine($"  left out {note}");
        }
        if (input.Notes.Count > MostNotes)
        {
            Console.WriteLine($"  left out {input.Notes.Count - MostNotes:N0} more");
        }
    }

    public static void Steps(Worker producer, Worker consumer) => Console.WriteLine($"""

          1. annotate    [QueueMessage] public partial class TextLine
          2. enqueue     queue.Enqueue(in line);                process {producer.Id}, one message per line
          3. dequeue     lease = lines.Receive();               process {consumer.Id}, rebuilds the files
                         lease.ReadInto(ref line);              into the same object each time
                         lease.Commit();                        killed before this, nothing is lost
             or, take and commit in one call: queue.Dequeue(ref line);

        """);

    public static void End(Comparison comparison, Scoreboard scores, bool withRates)
    {
        Console.WriteLine(comparison.Different.Count == 0
            ? $"{Files(comparison.Files)}, all SHA-256 equal"
            : $"{comparison.Different.Count:N0} of {Files(comparison.Files)} differ:");
        foreach (string difference in comparison.Different)
        {
            Console.WriteLine($"  {difference}");
        }
        Counts(comparison, scores);
        if (withRates)
        {
            Rates(scores);
        }
        Allocations(scores);
    }

    private static void Counts(Comparison comparison, Scoreboard scores)
    {
        Console.WriteLine($"  {scores[Score.Consumed]:N0} messages, {Size(comparison.Bytes)} of files");
        long redelivered = scores[Score.Redelivered], duplicates = scores[Score.Duplicates];
        if (redelivered + duplicates > 0)
        {
            Console.WriteLine($"  {redelivered:N0} redelivered: at hand when the consumer was killed");
            Console.WriteLine($"  {duplicates:N0} duplicates: sent again by the new producer, from the start of the file it was in");
        }
    }

    private static void Rates(Scoreboard scores)
    {
        string producer = Rate(scores, Score.Enqueued, Score.ProducerStarted, Score.ProducerEnded);
        string consumer = Rate(scores, Score.Consumed, Score.ConsumerStarted, Score.ConsumerEnded);
        Console.WriteLine($"  producer: {producer}, reading, hashing and splitting files included");
        Console.WriteLine($"  consumer: {consumer}, writing files included");
    }

    private static void Allocations(Scoreboard scores)
    {
        string read = Each(scores, Score.ReadAllocated, Score.Enqueued);
        string enqueue = Each(scores, Score.EnqueueAllocated, Score.Enqueued);
        string lease = Each(scores, Score.LeaseAllocated, Score.Consumed);
        string unpack = Each(scores, Score.UnpackAllocated, Score.Consumed);
        string write = Each(scores, Score.WriteAllocated, Score.Consumed);
        Console.WriteLine(
            $"  allocated per message: Enqueue {enqueue}, Receive and Commit {lease}, ReadInto {unpack} (the text: a new string)");
        Console.WriteLine($"  around the queue: reading files {read} (the text again), writing files {write}");
    }

    private static string Rate(Scoreboard scores, Score messages, Score started, Score ended)
    {
        TimeSpan duration = Stopwatch.GetElapsedTime(scores[started], scores[ended]);
        return $"{scores[messages] / duration.TotalSeconds:N0} messages/s for {duration.TotalSeconds:F2} s";
    }

    private static string Each(Scoreboard scores, Score bytes, Score messages) =>
        $"{(double)scores[bytes] / Math.Max(1, scores[messages]):N1} B";

    private static string Files(int count) => count == 1 ? "1 file" : $"{count:N0} files";

    private static string Size(long bytes) => bytes switch
    {
        < 10_000 => $"{bytes:N0} bytes",
        < 10_000_000 => $"{bytes / 1e3:N0} kB",
        _ => $"{bytes / 1e6:N0} MB",
    };
}
