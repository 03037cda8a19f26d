namespace BlitQueue;

/// <summary>
/// Names a custom packer: on a member, for the member's type or for the elements, keys, values or parts in it; on an assembly, for a type
/// in all messages of the assembly.
/// </summary>
/// <remarks>
/// A queue packs a message with custom packers into a scratch buffer first, so that it does not run the user's code while it holds the
/// append lock. A member's own attribute takes precedence over the assembly's.
/// </remarks>
/// <example>
/// <code>
/// [assembly: PackWith(typeof(Money), typeof(MoneyPacker))]
///
/// public sealed class MoneyPacker : IPacker&lt;Money&gt;
/// {
///     public static void Pack(ref PackWriter writer, scoped in Money? value) =&gt; writer.WriteString(value?.ToString());
///
///     public static void Unpack(ref PackReader reader, scoped ref Money? value)
///         =&gt; value = reader.ReadString() is { } text ? Money.Parse(text) : null;
/// }
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Property | AttributeTargets.Field, AllowMultiple = true, Inherited = false)]
public sealed class PackWithAttribute : Attribute
{
    /// <summary>Names the packer of a member.</summary>
    /// <param name="packer">
    /// A type that implements <c>IPacker&lt;T&gt;</c> for the member's type, or for that of the elements, keys, values or parts in it.
    /// </param>
    public PackWithAttribute(Type packer) => PackerType = packer;

    /// <summary>Names the packer of a type of another assembly, which cannot be marked.</summary>
    /// <param name="type">The type. Both may be generic, with as many type parameters: <c>typeof(Range&lt;&gt;)</c>.</param>
    /// <param name="packer">A type that implements <c>IPacker&lt;T&gt;</c> for it.</param>
    public PackWithAttribute(Type type, Type packer) => (Type, PackerType) = (type, packer);

    /// <summary>The type that an assembly names a packer for; null at a member.</summary>
    public Type? Type { get; }

    /// <summary>The packer's type.</summary>
    public Type PackerType { get; }
}
