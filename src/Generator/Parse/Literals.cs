using System.Globalization;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Parse;

/// <summary>Writes constants in C#.</summary>
internal static class Literals
{
    /// <summary>A parameter's default value; <c>default</c> where it has none.</summary>
    public static string DefaultOf(IParameterSymbol parameter)
    {
        if (!parameter.HasExplicitDefaultValue || parameter.ExplicitDefaultValue is not { } value)
        {
            return "default";
        }

        ITypeSymbol type = parameter.Type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable
            ? nullable.TypeArguments[0]
            : parameter.Type;
        return type.TypeKind == TypeKind.Enum ? $"({TypeNames.Code(type)})({Format(value)})" : Format(value);
    }

    private static string Format(object value) => value switch
    {
        float number => Real(number, "float", "f"),
        double number => Real(number, "double", "d"),
        decimal number => number.ToString(CultureInfo.InvariantCulture) + "m",
        long number => number == long.MinValue ? "long.MinValue" : number.ToString(CultureInfo.InvariantCulture) + "L",
        ulong number => number.ToString(CultureInfo.InvariantCulture) + "UL",
        byte or sbyte or short or ushort => $"({Keyword(value)})({Convert.ToInt32(value, CultureInfo.InvariantCulture)
            .ToString(CultureInfo.InvariantCulture)})",
        uint number => number.ToString(CultureInfo.InvariantCulture) + "U",
        _ => SymbolDisplay.FormatPrimitive(value, quoteStrings: true, useHexadecimalNumbers: false) ?? "default",
    };

    // The type to cast to: C# has no literals of these types. Without a cast, a conditional expression with the number would be an int.
    private static string Keyword(object value) => value switch
    {
        byte => "byte",
        sbyte => "sbyte",
        short => "short",
        _ => "ushort",
    };

    private static string Real(double number, string type, string suffix)
        => double.IsNaN(number) ? type + ".NaN"
        : double.IsPositiveInfinity(number) ? type + ".PositiveInfinity"
        : double.IsNegativeInfinity(number) ? type + ".NegativeInfinity"
        : number.ToString(suffix == "f" ? "G9" : "G17", CultureInfo.InvariantCulture) + suffix;
}
