namespace BlitQueue;

/// <summary>Marks a method that runs after the last member of a message is unpacked.</summary>
/// <remarks>Parameterless, static or instance, any accessibility. Not called for a null message.</remarks>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class OnUnpackedAttribute : Attribute;
