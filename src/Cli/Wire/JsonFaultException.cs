namespace BlitQueue.Cli.Wire;

/// <summary>A line of JSON is not what it has to be.</summary>
internal sealed class JsonFaultException(string what) : Exception(what);
