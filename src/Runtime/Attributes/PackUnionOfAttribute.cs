namespace BlitQueue;

/// <summary>
/// Makes a class the packer of an interface or abstract class, and lists the cases on that class with <see cref="PackUnionAttribute"/>: for
/// cases that the union's own assembly cannot name, because they are in another one.
/// </summary>
/// <remarks>
/// The union itself need not be a message. The bytes are the same as if the union listed the cases, so the list may move to the union
/// later.
/// </remarks>
/// <param name="union">The interface or abstract class.</param>
/// <example>
/// <code>
/// // IShape stands in another assembly, which knows nothing of these cases.
/// [PackUnionOf(typeof(IShape)), PackUnion(0, typeof(Circle)), PackUnion(1, typeof(Square))]
/// public partial class ShapePacker;
///
/// [QueueMessage]
/// public partial class Drawing
/// {
///     [PackWith(typeof(ShapePacker))] public IShape? Frame { get; set; }
///     [PackWith(typeof(ShapePacker))] public List&lt;IShape&gt;? Shapes { get; set; }
/// }
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class PackUnionOfAttribute(Type union) : Attribute
{
    /// <summary>The interface or abstract class.</summary>
    public Type Union { get; } = union;
}
