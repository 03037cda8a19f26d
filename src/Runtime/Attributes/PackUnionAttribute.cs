namespace BlitQueue;

/// <summary>One case of an interface's or abstract class's closed set of message types.</summary>
/// <remarks>Packing throws for an instance whose type is not listed, and unpacking for a tag that is not listed.</remarks>
/// <param name="tag">0 to 65535; stands for the type in the bytes, so a tag that was used once must never get another type.</param>
/// <param name="type">The concrete message type.</param>
/// <example>
/// <code>
/// [QueueMessage, PackUnion(0, typeof(Circle)), PackUnion(1, typeof(Square))]
/// public partial interface IShape;
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Interface, AllowMultiple = true, Inherited = false)]
public sealed class PackUnionAttribute(ushort tag, Type type) : Attribute
{
    /// <summary>The case's tag, 0 to 65535.</summary>
    public ushort Tag { get; } = tag;

    /// <summary>The case's concrete message type.</summary>
    public Type Type { get; } = type;
}
