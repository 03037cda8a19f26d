namespace BlitQueue.Cli.Schemas;

/// <summary>A message: how it is packed, empty for one member after another, and its members in packed order.</summary>
internal sealed record StoredType(string Form, IReadOnlyList<StoredMember> Members);
