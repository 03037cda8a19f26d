namespace BlitQueue.Cli.Serving;

/// <summary>
/// What a page asks to be changed: <c>{"what":"retry","queue":"orders","subscription":"billing","positions":["4096"]}</c>.
/// </summary>
internal sealed class ChangeRequest
{
    private string _what = "", _subscription = "";
    private readonly List<long> _positions = [];

    /// <summary>The name of the queue.</summary>
    public string Queue { get; private set; } = "";

    /// <exception cref="JsonFaultException">It is no such request.</exception>
    public static ChangeRequest Parse(ReadOnlySpan<byte> body)
    {
        var request = new ChangeRequest();
        var json = new JsonInput(body);
        json.Require(JsonTokenType.StartObject, "an object");
        while (json.TryNextMember(out string name))
        {
            request.Take(name, ref json);
        }
        json.End();
        return request._what is "retry" or "drop" or "purge" ? request : throw json.Fault($"'{request._what}' is nothing to be done");
    }

    private void Take(string name, ref JsonInput json)
    {
        switch (name)
        {
            case "what":
                _what = json.Text();
                break;
            case "queue":
                Queue = json.Text();
                break;
            case "subscription":
                _subscription = json.Text();
                break;
            case "positions":
                json.Require(JsonTokenType.StartArray, "an array");
                for (json.Next(); json.Token != JsonTokenType.EndArray; json.Next())
                {
                    _positions.Add(long.TryParse(json.Text(), NumberStyles.None, CultureInfo.InvariantCulture, out long position)
                        ? position
                        : throw json.Fault("a position is no number"));
                }
                break;
            default:
                throw json.Fault($"a request has no member '{name}'");
        }
    }

    /// <summary>The command that does it.</summary>
    /// <param name="path">The queue's directory.</param>
    public string[] Command(string path) => _what == "purge"
        ? ["purge", path, "--yes"]
        :
        [
            "dlq", _what, path, $"--subscription={_subscription}", "--yes",
            .. _positions.Select(static position => string.Create(CultureInfo.InvariantCulture, $"--position={position}")),
        ];
}
