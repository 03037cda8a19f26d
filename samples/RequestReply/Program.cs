// Request and reply: each client has a queue of its own for answers, and says in the request where that is.
//
//   dotnet run --project samples/RequestReply serve
//   dotnet run --project samples/RequestReply ask "What is the time?"
using BlitQueue;

string folder = Path.Combine(Path.GetTempPath(), "blitqueue-requests");
using var requests = MappedQueue<Text>.Open(Path.Combine(folder, "requests"));

switch (args)
{
    case ["serve"]:
        Serve();
        break;

    case ["ask", var question]:
        Ask(question);
        break;

    default:
        Console.WriteLine("serve, or ask <question>");
        break;
}

void Serve()
{
    using Subscription<Text> mine = requests.Subscribe("default");
    while (true)
    {
        // A server that dies before Commit leaves the request to the next server. Then the client may get two answers.
        using Lease<Text> request = mine.Receive();
        MessageProperties? properties = request.ReadProperties();

        // A client that has gone away has deleted its queue: then nobody wants the answer.
        if (properties?.ReplyTo is { } path && MappedQueue.Exists(path))
        {
            using var replies = MappedQueue<Text>.Open(path);
            replies.Enqueue(
                new Text { Value = $"'{request.Read().Value}' has {request.Read().Value.Length} letters" },
                new MessageProperties { CorrelationId = properties.CorrelationId });
        }
        request.Commit();
    }
}

void Ask(string question)
{
    string path = Path.Combine(folder, $"replies-{Environment.ProcessId}"), id = Guid.NewGuid().ToString();
    using (var replies = MappedQueue<Text>.Open(path))
    {
        requests.Enqueue(
            new Text { Value = question },
            new MessageProperties { ReplyTo = path, CorrelationId = id, TimeToLive = TimeSpan.FromSeconds(30) });

        Text? answer = null;
        var properties = new MessageProperties();
        while (replies.Dequeue(ref answer, properties, TimeSpan.FromSeconds(30)))
        {
            // An answer to an earlier request, or a second one to this, is passed over.
            if (properties.CorrelationId == id)
            {
                Console.WriteLine(answer.Value);
                break;
            }
        }
    }
    MappedQueue.Delete(path);
}

/// <summary>A question or an answer.</summary>
[QueueMessage]
public partial class Text
{
    public string Value { get; set; } = "";
}
