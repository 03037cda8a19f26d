namespace BlitQueue;

/// <summary>Selects the constructor that unpacking calls. Its parameters match members by name.</summary>
[AttributeUsage(AttributeTargets.Constructor, Inherited = false)]
public sealed class PackConstructorAttribute : Attribute;
