using System.Globalization;
using BlitQueue.Generator.Model;

namespace BlitQueue.Generator.Emit.Kinds;

/// <summary>Messages inside a member's kind, by their number among that member's.</summary>
internal static class Nested
{
    public static string Add(WireType type, List<WireType> nested)
    {
        var index = nested.FindIndex(other => other.Target == type.Target);
        if (index < 0)
        {
            index = nested.Count;
            nested.Add(type);
        }

        return "#" + index.ToString(CultureInfo.InvariantCulture);
    }
}
