namespace BlitQueue;

/// <summary>Excludes a public member from packing.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field, Inherited = false)]
public sealed class PackIgnoreAttribute : Attribute;
