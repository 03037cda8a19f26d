namespace BlitQueue;

/// <summary>Packs a member that is not public.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field, Inherited = false)]
public sealed class PackIncludeAttribute : Attribute;
