namespace BlitQueue;

/// <summary>Marks a method that runs before the first member of a message is packed.</summary>
/// <remarks>Parameterless, static or instance, any accessibility. Not called for a null message.</remarks>
/// <example>
/// <code>
/// [OnPacking]
/// private void Sum() => Total = Lines.Sum(line => line.Price);
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class OnPackingAttribute : Attribute;
