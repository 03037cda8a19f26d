namespace BlitQueue.Cli.Wire;

/// <summary>Bytes are no message of the schema.</summary>
internal sealed class PackedFaultException(int offset, string what)
    : Exception(string.Create(System.Globalization.CultureInfo.InvariantCulture, $"at byte {offset}: {what}"));
