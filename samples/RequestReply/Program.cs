// Request and reply: a server answers questions of other processes, one by one, as a stream, or not at all.
//
//   dotnet run --project samples/RequestReply serve
//   dotnet run --project samples/RequestReply ask "Who?"
//   dotnet run --project samples/RequestReply spell "Who?"
using BlitQueue;

// A channel is a file. Open(name) instead of OpenFile(path) has it in shared memory.
string answers = Path.Combine(Path.GetTempPath(), "blitqueue-answers"), letters = Path.Combine(Path.GetTempPath(), "blitqueue-letters");

switch (args)
{
    case ["serve"]:
        await ServeAsync();
        break;
    case ["ask", var question]:
        await AskAsync(question);
        break;
    case ["spell", var word]:
        using (var client = RpcClient<Text, Text>.OpenFile(letters))
        {
            await foreach (Text letter in client.StreamAsync(new Text { Value = word }))
            {
                Console.WriteLine(letter.Value);
            }
        }
        break;
    default:
        Console.WriteLine("serve, ask <question>, or spell <word>");
        break;
}

// Any number of processes may serve: each question goes to one of them.
async Task ServeAsync()
{
    using var answering = RpcServer<Text, Text>.OpenFile(answers, new RpcServerOptions { Concurrency = 8 });
    using var spelling = RpcServer<Text, Text>.OpenFile(letters);
    await Task.WhenAll(
        answering.ServeAsync(async (question, call) =>
        {
            // Cancelled when the one who asks has gone, or does not wait any more.
            await Task.Delay(10, call.CancellationToken);
            return new Text { Value = $"'{question.Value}' has {question.Value.Length} letters" };
        }),
        spelling.ServeStreamAsync((word, _) => Spell(word.Value)));
}

async Task AskAsync(string question)
{
    using var client = RpcClient<Text, Text>.OpenFile(answers);
    try
    {
        // Waits for a server that has not started yet.
        Text answer = await client.CallAsync(new Text { Value = question }, timeout: TimeSpan.FromSeconds(30));
        Console.WriteLine(answer.Value);
    }
    catch (PeerLostException lost)
    {
        Console.WriteLine(lost.WasTaken ? "The server died while it worked." : "The server died before it saw the question.");
    }
}

static async IAsyncEnumerable<Text> Spell(string word)
{
    foreach (char letter in word)
    {
        await Task.Yield();
        yield return new Text { Value = letter.ToString() };
    }
}

/// <summary>A question or an answer.</summary>
[QueueMessage]
public partial class Text
{
    public string Value { get; set; } = "";
}
