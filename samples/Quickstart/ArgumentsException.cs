namespace Quickstart;

/// <summary>The arguments say nothing that can be done; the message is for the user as it is.</summary>
internal sealed class ArgumentsException(string message, bool isHelp = false) : Exception(message)
{
    /// <summary>Whether the user asked for this text.</summary>
    public bool IsHelp { get; } = isHelp;
}
