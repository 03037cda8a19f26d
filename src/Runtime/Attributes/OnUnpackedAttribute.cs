namespace BlitQueue;

/// <summary>Marks a method that runs after the last member of a message is unpacked.</summary>
/// <remarks>Parameterless, static or instance, any accessibility. Not called for a null message.</remarks>
/// <example>
/// <code>
/// [OnUnpacked]
/// private void Index() => _bySku = Lines.ToDictionary(line => line.Sku);
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class OnUnpackedAttribute : Attribute;
