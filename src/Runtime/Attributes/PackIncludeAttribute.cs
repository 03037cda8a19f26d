namespace BlitQueue;

/// <summary>Takes a member that is not public into the message.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field, Inherited = false)]
public sealed class PackIncludeAttribute : Attribute;
