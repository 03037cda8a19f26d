using BlitQueue.Generator.Emit.Kinds;

namespace BlitQueue.Generator.Emit;

/// <summary>The code of each kind.</summary>
internal static class KindCodes
{
    private static readonly Dictionary<WireKind, KindCode> Codes = new()
    {
        [WireKind.Value] = new ValueCode(),
        [WireKind.NullableValue] = new ValueCode(),
        [WireKind.String] = new StringCode(),
        [WireKind.Array] = new ArrayCode(),
        [WireKind.List] = new ListCode(),
        [WireKind.Message] = new MessageCode(),
        [WireKind.StructMessage] = new StructMessageCode(),
        [WireKind.NullableMessage] = new NullableMessageCode(),
        [WireKind.Object] = new ObjectCode(),
        [WireKind.Grid] = new GridCode(),
        [WireKind.Collection] = new CollectionCode(),
        [WireKind.Dictionary] = new DictionaryCode(),
        [WireKind.Tuple] = new TupleCode(),
        [WireKind.NullableVariable] = new NullableVariableCode(),
        [WireKind.Custom] = new CustomCode(),
        [WireKind.Inline] = new InlineCode(),
        [WireKind.Argument] = new ArgumentCode(),
    };

    public static KindCode For(WireType type) => Codes[type.Kind];
}
