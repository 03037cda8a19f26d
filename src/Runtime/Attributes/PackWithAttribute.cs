namespace BlitQueue;

/// <summary>
/// Packs one member with a custom packer, for a type that is no message itself; or whatever of that type the member holds.
/// </summary>
/// <remarks>A queue packs messages with custom packers into a scratch buffer first, because their running time is not its own.</remarks>
/// <param name="packer">
/// A type that implements <c>IPacker&lt;T&gt;</c> for the member's type, or for that of the elements, keys, values or parts in it.
/// </param>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field, Inherited = false)]
public sealed class PackWithAttribute(Type packer) : Attribute
{
    /// <summary>The packer's type.</summary>
    public Type PackerType { get; } = packer;
}
