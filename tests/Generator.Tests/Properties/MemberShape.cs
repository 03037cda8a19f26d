namespace BlitQueue.Generator.Tests.Properties;

/// <summary>A member to be.</summary>
/// <param name="Number">Its number where the layout goes by numbers.</param>
/// <param name="Default">Where a new message's gets the instance that is shared by all.</param>
internal sealed record MemberShape(string Type, string Name, MemberWay Way, int Number, MemberDefault Default = MemberDefault.None)
{
    /// <summary>The expression for that instance.</summary>
    public string Shared => $"Statics.Of<{Type}>({Number})!";
}
