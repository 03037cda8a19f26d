namespace BlitQueue.Tool;

/// <summary>How a command ended, and what it has printed.</summary>
internal sealed record Outcome(int Code, string Output, string Error)
{
    public IEnumerable<string> Lines => Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Expects an exit code.</summary>
    public Outcome Expect(int code)
    {
        Assert.True(Code == code, $"exit code {Code}, expected {code}\n{Output}\n{Error}");
        return this;
    }
}
