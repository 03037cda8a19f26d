namespace BlitQueue.Cli.Output;

/// <summary>The command line asks for what cannot be.</summary>
internal sealed class UsageException(string what) : Exception(what);
