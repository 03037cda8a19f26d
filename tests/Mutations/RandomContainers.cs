using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Reflection;

namespace BlitQueue.Mutations;

/// <summary>Collections, dictionaries and tuples of the framework, made of random parts.</summary>
internal static class RandomContainers
{
    public static object Make(Type type, RandomValues values)
    {
        Type[] arguments = type.GetGenericArguments();
        string name = type.Name;
        if (IsTuple(type))
        {
            return MakeTuple(type, arguments, values);
        }

        if (arguments.Length == 1)
        {
            return Call(nameof(Collection), arguments, name, values.MakeArray(arguments[0]));
        }

        if (arguments.Length == 2)
        {
            return Call(nameof(Dictionary), arguments, name, values.MakeArray(arguments[0]), (Func<Type, object?>)values.Make);
        }

        throw new NotSupportedException($"{type} is not known here: add it to {nameof(RandomContainers)}.");
    }

    /// <summary>A class that derives from one of the framework's.</summary>
    public static object Own(Type type, RandomValues values)
    {
        Type container = type;
        while (!container.IsGenericType)
        {
            container = container.BaseType!;
        }

        object made = Activator.CreateInstance(type)!;
        (MethodInfo? add, IReadOnlyList<object?>? items) = (container.GetMethod("Add")
            ?? container.GetMethod("Push")!, PackingOrder.Items(Make(container, values))!);
        foreach (object? item in items)
        {
            add.Invoke(made, add.GetParameters().Length == 1 ? [item] : [PackingOrder.Part(item, 0), PackingOrder.Part(item, 1)]);
        }

        return made;
    }

    /// <summary>A collection of one element, or a dictionary of one key and one value.</summary>
    public static object Of(Type type, int element, string value)
    {
        Type[] arguments = type.GetGenericArguments();
        var all = Array.CreateInstance(arguments[0], 1);
        all.SetValue(Convert.ChangeType(element, arguments[0], System.Globalization.CultureInfo.InvariantCulture), 0);
        return arguments.Length == 1
            ? Call(nameof(Collection), arguments, type.Name, all)
            : Call(nameof(Dictionary), arguments, type.Name, all, (Func<Type, object?>)(_ => value));
    }

    /// <summary>Whether a collection or dictionary, by its metadata name without the namespace, can be made here.</summary>
    public static bool Knows(string name)
    {
        try
        {
            _ = name.EndsWith("`1", StringComparison.Ordinal) ? Collection<int>(name, []) : Dictionary<int, int>(name, [], type => null);
            return true;
        }
        catch (NotSupportedException)
        {
            return false;
        }
    }

    private static bool IsTuple(Type type) => type.Name.Split('`')[0] is "ValueTuple" or "Tuple" or "KeyValuePair" or "Lazy";

    private static object MakeTuple(Type type, Type[] arguments, RandomValues values)
    {
        object?[] parts = arguments.Select(values.Make).ToArray();

        // The eighth part is a tuple of the others, and never null.
        while (parts.Length == 8 && parts[7] is null)
        {
            parts[7] = values.Make(arguments[7]);
        }

        return type.Name == "Lazy`1" ? Call(nameof(LazyOf), arguments, parts) : Activator.CreateInstance(type, parts)!;
    }

    private static object Call(string method, Type[] types, params object?[] arguments)
        => typeof(RandomContainers).GetMethod(method, BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(types)
            .Invoke(null, arguments)!;

    private static Lazy<T> LazyOf<T>(T value) => new(value);

    private static object Collection<T>(string name, T[] all)
    {
        // Sets and some others take no null and nothing twice.
        T[] some = [.. all.Where(item => item is not null).Distinct()];
        return name switch
        {
            "List`1" => new List<T>(all),
            "HashSet`1" or "ISet`1" or "IReadOnlySet`1" => new HashSet<T>(some),
            "Queue`1" => new Queue<T>(all),
            "Stack`1" => new Stack<T>(all),
            "LinkedList`1" => new LinkedList<T>(all),
            "SortedSet`1" => new SortedSet<T>(some),
            "ConcurrentQueue`1" => new ConcurrentQueue<T>(all),
            "ConcurrentStack`1" => new ConcurrentStack<T>(all),
            "ConcurrentBag`1" => new ConcurrentBag<T>(all),
            "BlockingCollection`1" => new BlockingCollection<T>(new ConcurrentQueue<T>(all)),
            "Collection`1" => new Collection<T>([.. all]),
            "ObservableCollection`1" => new ObservableCollection<T>(all),
            "ReadOnlyCollection`1" => new ReadOnlyCollection<T>(all),
            "ReadOnlyObservableCollection`1" => new ReadOnlyObservableCollection<T>(new(all)),
            "ReadOnlySet`1" => new ReadOnlySet<T>(new HashSet<T>(some)),
            "ImmutableList`1" or "IImmutableList`1" => ImmutableList.CreateRange(all),
            "ImmutableHashSet`1" or "IImmutableSet`1" => ImmutableHashSet.CreateRange(some),
            "ImmutableSortedSet`1" => ImmutableSortedSet.CreateRange(some),
            "ImmutableQueue`1" or "IImmutableQueue`1" => ImmutableQueue.CreateRange(all),
            "ImmutableStack`1" or "IImmutableStack`1" => ImmutableStack.CreateRange(all),
            "FrozenSet`1" => FrozenSet.ToFrozenSet(some),
            "Memory`1" => new Memory<T>(all),
            "ReadOnlyMemory`1" => new ReadOnlyMemory<T>(all),
            "ArraySegment`1" => new ArraySegment<T>(all),
            "ReadOnlySequence`1" => new ReadOnlySequence<T>(all),
            "ImmutableArray`1" => ImmutableArray.Create(all),
            "IEnumerable`1" => all.Select(item => item),
            "ICollection`1" or "IReadOnlyList`1" or "IReadOnlyCollection`1" => all,
            "IList`1" => new List<T>(all),
            _ => throw new NotSupportedException($"{name} is not known here: add it to {nameof(RandomContainers)}."),
        };
    }

    private static object Dictionary<K, V>(string name, K[] keys, Func<Type, object?> makeValue)
        where K : notnull
    {
        var all = keys.Where(key => key is not null).Distinct().ToDictionary(key => key, _ => (V)makeValue(typeof(V))!);
        return name switch
        {
            "Dictionary`2" or "IReadOnlyDictionary`2" => all,
            "SortedDictionary`2" => new SortedDictionary<K, V>(all),
            "SortedList`2" or "IDictionary`2" => new SortedList<K, V>(all),
            "OrderedDictionary`2" => new OrderedDictionary<K, V>(all),
            "ConcurrentDictionary`2" => new ConcurrentDictionary<K, V>(all),
            "ReadOnlyDictionary`2" => new ReadOnlyDictionary<K, V>(all),
            "ImmutableDictionary`2" or "IImmutableDictionary`2" => ImmutableDictionary.CreateRange(all),
            "ImmutableSortedDictionary`2" => ImmutableSortedDictionary.CreateRange(all),
            "FrozenDictionary`2" => FrozenDictionary.ToFrozenDictionary(all),
            "ILookup`2" => all.ToLookup(pair => pair.Key, pair => pair.Value),
            "IGrouping`2" => new[] { (V)makeValue(typeof(V))! }.GroupBy(_ => keys.FirstOrDefault(key => key is not null)).First(),
            "PriorityQueue`2" => new PriorityQueue<K, V>(all.Select(pair => (pair.Key, pair.Value))),
            _ => throw new NotSupportedException($"{name} is not known here: add it to {nameof(RandomContainers)}."),
        };
    }
}
