using System.Globalization;

namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>Numbers the messages and type parameters in a member's kind: the schema names them by number.</summary>
internal static class Nested
{
    public static string Add(WireType type, List<WireType> nested)
        => "#" + Number(type, nested, nested.FindIndex(other => other.Target == type.Target && other.Kind != WireKind.Argument));

    public static string AddArgument(WireType type, List<WireType> nested)
        => "$" + Number(type, nested, nested.FindIndex(other => other == type));

    // One list has both, but each of the two is counted separately.
    private static string Number(WireType type, List<WireType> nested, int index)
    {
        if (index < 0)
        {
            index = nested.Count;
            nested.Add(type);
        }

        bool isArgument = type.Kind == WireKind.Argument;
        int number = nested.Take(index).Count(other => other.Kind == WireKind.Argument == isArgument);
        return number.ToString(CultureInfo.InvariantCulture);
    }
}
