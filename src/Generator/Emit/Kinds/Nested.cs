using System.Globalization;

namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>Messages and type parameters inside a member's kind, by their number among that member's.</summary>
internal static class Nested
{
    public static string Add(WireType type, List<WireType> nested)
        => "#" + Number(type, nested, nested.FindIndex(other => other.Target == type.Target && other.Kind != WireKind.Argument));

    public static string AddArgument(WireType type, List<WireType> nested)
        => "$" + Number(type, nested, nested.FindIndex(other => other == type));

    // Both are in one list and each is counted for itself.
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
