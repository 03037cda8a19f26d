namespace BlitQueue;

/// <summary>
/// Packs one member with a custom packer, for a type that is no message itself, or for all of that type that the member holds; or, said of
/// an assembly, a type wherever it stands in the assembly's messages.
/// </summary>
/// <remarks>
/// A queue packs messages with custom packers into a scratch buffer first, because their running time is not its own. A member's own
/// attribute comes before the assembly's.
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
