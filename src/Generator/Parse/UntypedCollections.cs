using BlitQueue.Generator.Parse.Kinds;

namespace BlitQueue.Generator.Parse;

/// <summary>Collections without type arguments, and what to use instead.</summary>
internal static class UntypedCollections
{
    private const string Enumerable = "System.Collections.IEnumerable";

    private static readonly Dictionary<string, string> Better = new()
    {
        ["System.Collections.ArrayList"] = "List<T>",
        ["System.Collections.Hashtable"] = "Dictionary<K, V>",
        ["System.Collections.Queue"] = "Queue<T>",
        ["System.Collections.Stack"] = "Stack<T>",
        ["System.Collections.SortedList"] = "SortedList<K, V>",
        [Enumerable] = "IEnumerable<T>",
        ["System.Collections.ICollection"] = "ICollection<T>",
        ["System.Collections.IList"] = "IList<T>",
        ["System.Collections.IDictionary"] = "IDictionary<K, V>",
        ["System.Collections.Specialized.HybridDictionary"] = "Dictionary<K, V>",
        ["System.Collections.Specialized.ListDictionary"] = "Dictionary<K, V>",
        ["System.Collections.Specialized.NameValueCollection"] = "Dictionary<string, string>",
        ["System.Collections.Specialized.OrderedDictionary"] = "OrderedDictionary<K, V>",
        ["System.Collections.Specialized.StringCollection"] = "List<string>",
        ["System.Collections.Specialized.StringDictionary"] = "Dictionary<string, string>",
    };

    /// <summary>What to do instead; null for any other type.</summary>
    public static string? Remedy(ITypeSymbol type)
    {
        if (type.SpecialType == SpecialType.System_Array)
        {
            return "name that of its elements, as in int[]";
        }

        foreach (KeyValuePair<string, string> better in Better)
        {
            if (KnownTypes.Is(type, better.Key))
            {
                return $"use {better.Value}";
            }
        }

        bool isUntyped = type.AllInterfaces.Any(contract => KnownTypes.Is(contract, Enumerable))
            && !type.AllInterfaces.Any(Sequences.IsEnumerable);
        return isUntyped ? "let it implement ICollection<T>, or use a generic collection" : null;
    }
}
