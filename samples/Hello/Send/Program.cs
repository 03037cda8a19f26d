// dotnet run --project samples/Hello/Send Ada
using BlitQueue;

// The queue is this directory. The first program that opens it makes it.
using var greetings = MappedQueue<Greeting>.Open(Path.Combine(Path.GetTempPath(), "blitqueue-hello"));

var greeting = new Greeting { From = args is [var name, ..] ? name : "the sender", SentAt = DateTime.UtcNow };
greetings.Enqueue(greeting);

// From here on the message outlives this process.
Console.WriteLine($"sent a greeting from {greeting.From}");

/// <summary>The message. In real programs it stands in a library that both use; what makes it the same message is its members.</summary>
[QueueMessage]
public partial class Greeting
{
    public string? From { get; set; }

    public DateTime SentAt { get; set; }
}
