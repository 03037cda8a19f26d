namespace BlitQueue.Peer;

/// <summary>What a peer tells the process that has started it, line by line.</summary>
internal static class StandardOutput
{
    /// <summary>Writes a line, which the other process can read at once.</summary>
    public static void Say(string line)
    {
        Console.Out.WriteLine(line);
        Console.Out.Flush();
    }

    /// <summary>Tells what is wrong and ends the process, unless all is as it has to be.</summary>
    public static void Require(bool isMet, string otherwise)
    {
        if (!isMet)
        {
            Say($"WRONG: {otherwise}");
            Environment.Exit(4);
        }
    }
}
