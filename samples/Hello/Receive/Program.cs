// dotnet run --project samples/Hello/Receive
using BlitQueue;

// The same directory as in the sender; it does not matter which of the two comes first.
using var greetings = MappedQueue<Greeting>.Open(Path.Combine(Path.GetTempPath(), "blitqueue-hello"));
using Subscription<Greeting> consumer = greetings.Subscribe("default");

// Waits until there is a message. It is this process's own until Commit; if the process dies before, another one gets it.
using Lease<Greeting> lease = consumer.Receive();
Greeting greeting = lease.Read();
Console.WriteLine($"received a greeting from {greeting.From}, sent at {greeting.SentAt:HH:mm:ss} UTC");
lease.Commit();

/// <summary>The message, with the same members as in the sender.</summary>
[QueueMessage]
public partial class Greeting
{
    public string? From { get; set; }

    public DateTime SentAt { get; set; }
}
