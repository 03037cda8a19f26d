namespace BlitQueue;

/// <summary>Leaves a public member out of the message.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field, Inherited = false)]
public sealed class PackIgnoreAttribute : Attribute;
