using System.Globalization;

namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>Writes code for values in a row: those of fixed size have no length in front, the others are variables.</summary>
internal static class Elements
{
    private const int LengthSize = 4;

    public static string Pack(WireType type, string source, EmitContext context) => type.Kind switch
    {
        WireKind.Value => $"writer.WriteValue<{type.Name}>({source});",
        WireKind.NullableValue => $"writer.WriteNullable<{type.Element!.Name}>({source});",
        WireKind.Argument when !type.StandsAlone => $"{ArgumentCode.Packer(type, context)}.PackElement(ref writer, {source});",
        _ => KindCodes.For(type).Pack(type, source, context),
    };

    /// <summary>The expression that reads one value, with ! if it may be null although the user's type is not nullable.</summary>
    public static string Unpack(WireType type, string reuse, EmitContext context) => type.Kind switch
    {
        WireKind.Value => $"reader.ReadValue<{type.Name}>()",
        WireKind.NullableValue => $"reader.ReadNullable<{type.Element!.Name}>()",
        WireKind.Argument when !type.StandsAlone => $"{ArgumentCode.Packer(type, context)}.UnpackElement(ref reader, {reuse})!",
        _ => KindCodes.For(type).Unpack(type, reuse, context) + (type.IsStruct ? "" : "!"),
    };

    /// <summary>The expression for the fewest bytes that values of these types, one behind another, can have.</summary>
    public static string MinimumSize(EmitContext context, params WireType[] types)
    {
        int known = types.Sum(KnownSize);
        IEnumerable<string> parts = types.SelectMany(ParametersOf).Select(type => $"{ArgumentCode.Packer(type, context)}.MinimumSize");
        return string.Join(" + ", known == 0 ? parts : parts.Prepend(known.ToString(CultureInfo.InvariantCulture)));
    }

    /// <summary>The expression that reads the number of elements.</summary>
    /// <param name="type">The elements' type.</param>
    /// <param name="growth">How many times its elements' size the collection may have allocated when the last element is added.</param>
    /// <param name="context">The file for which the code is written.</param>
    public static string Count(WireType type, int growth, EmitContext context)
        => type.IsFixed ? $"reader.CountElements<{type.Name}>({type.Size}{Growth(growth)})"
        : type.Kind == WireKind.Argument ? $"{ArgumentCode.Packer(type, context)}.ReadCount(ref reader{Growth(growth)})"
        : MinimumSize(context, type) is var size && size == "4" && growth == 1 ? $"reader.ReadCount<{type.Name}>()"
        : $"reader.ReadCount<{type.Name}>({size}{Growth(growth)})";

    /// <summary>How many times its elements' size a collection or dictionary may have allocated when the last element is added.</summary>
    public static int GrowthOf(WireType type) => Containers.Find(type.Container) is not { } container ? 1
        : type.Via is null ? container.Growth
        : GrowthOf(type.Via) + (container.IsCopied ? 1 : 0);

    /// <summary>The last argument of a call that reads a count.</summary>
    public static string Growth(int growth) => growth == 1 ? "" : ", growth: " + growth.ToString(CultureInfo.InvariantCulture);

    /// <summary>
    /// The statement that counts the memory of elements that may be larger in memory than packed; null if they cannot be larger.
    /// </summary>
    public static string? CountMemory(string elements, string count, int growth, params WireType[] types)
        => types.Any(MayBeLarge) ? $"writer.CountMemory<{elements}>({count}{Growth(growth)});" : null;

    /// <summary>Opens the helper that packs <c>values</c>, which may be null.</summary>
    public static void OpenPackHelper(WireType type, string name, SourceWriter writer)
    {
        writer.Open($"private static void {name}(ref {Names.Writer} writer, {type.Name}? values)");
        WriteNullGuard("values is null", writer);
    }

    /// <summary>Writes the null check with which helpers for reference types begin, those that pack and those that unpack.</summary>
    public static void WriteNullGuard(string condition, SourceWriter writer)
    {
        writer.Open($"if ({condition})");
        writer.Line("writer.WriteNull();");
        writer.Line("return;");
        writer.Close();
        writer.Line();
    }

    /// <summary>
    /// Writes the beginning of a method that reads a variable of the type: for null it returns, or throws if the type is a struct.
    /// </summary>
    public static void WriteBegin(WireType type, SourceWriter writer)
        => WriteBegin(type.IsValueType ? RefuseNull(type) : "return null;", writer);

    /// <summary>The statement that throws if the bytes have the null mark for a struct.</summary>
    public static string RefuseNull(WireType type) => $"{Names.PackException}.ThrowNullStruct(in reader, typeof({type.Name}));";

    /// <summary>Writes the beginning of a method that reads a variable, with the statement for null.</summary>
    public static void WriteBegin(string ifNull, SourceWriter writer)
    {
        writer.Line("if (!reader.BeginVariable(out var scope))");
        writer.Inner(ifNull);
        writer.Line();
    }

    /// <summary>Writes a variable around one packing statement.</summary>
    public static void WriteVariable(string pack, SourceWriter writer)
    {
        writer.Line("var mark = writer.BeginVariable();");
        writer.Line(pack);
        writer.Line("writer.EndVariable(mark);");
    }

    /// <summary>Writes a variable with the elements of <c>items</c>, a span.</summary>
    public static void WriteItems(WireType element, SourceWriter writer, EmitContext context)
    {
        writer.Line("var mark = writer.BeginVariable();");
        writer.Line("writer.WriteCount(items.Length);");
        if (CountMemory(element.Name, "items.Length", growth: 1, element) is { } memory)
        {
            writer.Line(memory);
        }

        writer.Line("foreach (var item in items)");
        writer.Inner(Pack(element, "item", context));
        writer.Line("writer.EndVariable(mark);");
    }

    /// <summary>Writes the reading of a whole variable by some statements; for null the method returns it.</summary>
    public static void WriteWhole(SourceWriter writer, params string[] statements)
    {
        WriteBegin("return null;", writer);
        foreach (string statement in statements)
        {
            writer.Line(statement);
        }

        writer.Line("reader.EndWholeVariable(scope);");
    }

    /// <summary>Writes the packing of a nullable struct: its value, under the name <c>present</c>, or null.</summary>
    public static void WritePresent(string source, string pack, SourceWriter writer)
    {
        writer.Line($"if ({source} is {{ }} present)");
        writer.Inner(pack);
        writer.Line("else");
        writer.Inner("writer.WriteNull();");
    }

    private static bool MayBeLarge(WireType type) => !type.IsFixed && (type.IsStruct || type.IsParameter);

    // Without the type parameters' values, whose size is known only when the code runs.
    private static int KnownSize(WireType type)
        => type.IsFixed ? type.Size
        : IsElement(type) ? 0
        : LengthSize + (IsInline(type) ? type.Parts.Sum(KnownSize) : 0);

    private static IEnumerable<WireType> ParametersOf(WireType type)
        => IsElement(type) ? [type] : IsInline(type) ? type.Parts.SelectMany(ParametersOf) : [];

    private static bool IsElement(WireType type) => type is { Kind: WireKind.Argument, StandsAlone: false };

    // A value tuple is never null, so its parts are always packed.
    private static bool IsInline(WireType type) => type is { Kind: WireKind.Tuple, IsValueType: true };
}
