namespace BlitQueue;

/// <summary>
/// Marks a method that runs before the first member of a message is unpacked, on a new instance right after its construction.
/// </summary>
/// <remarks>Parameterless, static or instance, any accessibility. Not called for a null message.</remarks>
/// <example>
/// <code>
/// [OnUnpacking]
/// private void Forget() => _bySku = null;
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class OnUnpackingAttribute : Attribute;
