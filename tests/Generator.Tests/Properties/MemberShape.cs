namespace BlitQueue.Generator.Tests.Properties;

/// <summary>A member to be.</summary>
/// <param name="Number">Its number where the layout goes by numbers.</param>
internal sealed record MemberShape(string Type, string Name, MemberWay Way, int Number);
