// Two machines: a shop asks, an office answers, and a RabbitMQ broker is between them. Each program uses its own queues only. A question
// names in ReplyTo the broker's queue from which the shop takes its answers; it may be asked while the broker or the office is away.
//
//   dotnet run --project samples/Beyond office localhost:5672
//   dotnet run --project samples/Beyond shop localhost:5672 "How many?" "How much?"
using BlitQueue;
using BlitQueue.RabbitMq;

if (args.Length < 2)
{
    Console.WriteLine("office <host:port>, or shop <host:port> <question>...");
    return;
}
const string Questions = "sample-questions", Answers = "sample-answers-shop";
var broker = new BrokerOptions { Hosts = [args[1]], MaxRetryDelay = TimeSpan.FromSeconds(1) };

// The two directories stand for two machines.
using var store = MappedStore.Open(Path.Combine(Path.GetTempPath(), $"blitqueue-{args[0]}"));
using MappedQueue<Text> outbox = store.OpenQueue<Text>("outbox"), inbox = store.OpenQueue<Text>("inbox");
using var stopping = new CancellationTokenSource();
Console.CancelKeyPress += (_, pressed) =>
{
    pressed.Cancel = true;
    stopping.Cancel();
};

// What is enqueued into the outbox goes to the queue at the broker that its header "to" names.
var forwarder = new Forwarder<Text>(outbox, new ForwarderOptions { Broker = broker, RoutingKeyHeader = "to" });
var receiver = new Receiver<Text>(
    store, "inbox", new ReceiverOptions { Broker = broker, Queue = args[0] == "office" ? Questions : Answers, DeclareQueue = true });
forwarder.ProblemChanged += (_, problem) => Console.Error.WriteLine($"forwarder: {problem.Problem} {problem.Text}");
var bridge = Task.WhenAll(forwarder.RunAsync(stopping.Token), receiver.RunAsync(stopping.Token));
try
{
    await (args[0] == "office" ? AnswerAsync() : AskAsync(args[2..]));
    await stopping.CancelAsync();
    await bridge;
}
catch (OperationCanceledException)
{
}

async Task AnswerAsync()
{
    using Subscription<Text> questions = inbox.Subscribe("default");
    for (; ; )
    {
        Lease<Text> question = await questions.ReceiveAsync(stopping.Token);
        MessageProperties asked = question.ReadProperties()!;
        outbox.Enqueue(
            new Text { Value = $"'{question.Read().Value}' has {question.Read().Value.Length} letters" },
            new MessageProperties { CorrelationId = asked.CorrelationId, Headers = { ["to"] = asked.ReplyTo! } });
        // Killed before this line, the office answers once more, with the same correlation id.
        question.Commit();
    }
}

async Task AskAsync(string[] questions)
{
    foreach (string question in questions)
    {
        outbox.Enqueue(
            new Text { Value = question },
            new MessageProperties { CorrelationId = question, ReplyTo = Answers, Headers = { ["to"] = Questions } });
    }
    for (int i = 0; i < questions.Length; i++)
    {
        Console.WriteLine((await inbox.DequeueAsync(stopping.Token)).Value);
    }
}

/// <summary>A question or an answer.</summary>
[QueueMessage]
public partial class Text { public string Value { get; set; } = ""; }
