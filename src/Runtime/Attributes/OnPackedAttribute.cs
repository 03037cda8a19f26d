namespace BlitQueue;

/// <summary>Marks a method that runs after the last member of a message is packed.</summary>
/// <remarks>Parameterless, static or instance, any accessibility. Not called for a null message.</remarks>
/// <example>
/// <code>
/// [OnPacked]
/// private void Count() => _timesPacked++;
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class OnPackedAttribute : Attribute;
