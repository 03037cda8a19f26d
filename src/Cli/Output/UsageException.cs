namespace BlitQueue.Cli.Output;

/// <summary>The command line asks for something impossible.</summary>
internal sealed class UsageException(string what) : Exception(what);
