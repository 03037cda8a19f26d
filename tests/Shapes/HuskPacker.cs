namespace BlitQueue.Shapes;

/// <summary>Makes a union of an interface from outside.</summary>
[PackUnionOf(typeof(IHusk)), PackUnion(3, typeof(Shell))]
public sealed partial class HuskPacker;
