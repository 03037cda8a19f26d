namespace BlitQueue;

/// <summary>
/// Packs a type with a custom packer wherever it stands in the messages of this assembly: a type of another assembly, which cannot be
/// marked. A member's own <see cref="PackWithAttribute"/> comes first.
/// </summary>
/// <remarks>Both may be generic, with as many type parameters: <c>typeof(Range&lt;&gt;), typeof(RangePacker&lt;&gt;)</c>.</remarks>
/// <param name="type">The type.</param>
/// <param name="packer">A type that implements <c>IPacker&lt;T&gt;</c> for it.</param>
/// <example>
/// <code>
/// [assembly: PackTypeWith(typeof(Money), typeof(MoneyPacker))]
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
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
public sealed class PackTypeWithAttribute(Type type, Type packer) : Attribute
{
    /// <summary>The type.</summary>
    public Type Type { get; } = type;

    /// <summary>The packer's type.</summary>
    public Type PackerType { get; } = packer;
}
