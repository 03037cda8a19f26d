namespace BlitQueue;

/// <summary>Picks the constructor that unpacking calls. Its parameters match members by name.</summary>
[AttributeUsage(AttributeTargets.Constructor, Inherited = false)]
public sealed class PackConstructorAttribute : Attribute;
