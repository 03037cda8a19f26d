using System.Buffers;
using System.Collections;
using System.Globalization;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using BlitQueue.Mutations;

namespace BlitQueue.Clients;

/// <summary>
/// A message as one text, made from the object alone. clients/python/tests/canonical.py makes the same text of what Python has decoded.
/// </summary>
internal sealed class CanonicalText
{
    // As canonical.py has them.
    private static readonly HashSet<string> Defaults =
    [
        "null", "0", "false", "f:0000000000000000", "d:0E0", "g:00000000-0000-0000-0000-000000000000", "t:0:0", "o:0:0", "s:0", "c:0",
        "a:0",
    ];

    private readonly List<object> _shared = [];
    private bool _isSparse;

    /// <summary>The text of a message.</summary>
    /// <param name="message">The message.</param>
    /// <param name="type">The queue's message type: a union's case has its tag in front.</param>
    /// <param name="isSparse">
    /// Whether to leave out members with default values: an object does not show which members the bytes lack.
    /// </param>
    public static string Of(object message, Type type, bool isSparse = false)
        => new CanonicalText { _isSparse = isSparse }.Text(message, type, null);

    // The packer is that of the member; it counts where it packs the type.
    private string Text(object? value, Type declared, Type? packer)
    {
        Type type = Nullable.GetUnderlyingType(declared) ?? declared;
        if (packer is not null && Packs(packer, type) && packer.Namespace != "BlitQueue")
        {
            return value is null && type != declared ? "null"
                : packer.IsDefined(typeof(PackUnionOfAttribute)) ? Union(value, packer)
                : CanonicalBytes.Hex(CanonicalBytes.PackedBy(packer, type, value));
        }

        return value is null ? "null"
            : type.IsDefined(typeof(PackUnionAttribute), inherit: false) ? Union(value, type)
            : type == typeof(RawMessage) ? CanonicalBytes.Hex(((RawMessage)value).Bytes)
            : type.IsDefined(typeof(QueueMessageAttribute)) ? Message(value, type)
            : CanonicalValues.Text(value) ?? Container(value, type, packer);
    }

    private string Union(object? value, Type cases)
    {
        if (value is null)
        {
            return "null";
        }

        PackUnionAttribute found = cases.GetCustomAttributes<PackUnionAttribute>(inherit: false)
            .Single(option => option.Type == value.GetType());
        return $"<{found.Tag}>{Message(value, found.Type)}";
    }

    private string Message(object value, Type type)
    {
        string number = "";
        if (type.GetCustomAttribute<QueueMessageAttribute>()!.Layout == PackLayout.CircularReference)
        {
            int known = _shared.FindIndex(other => ReferenceEquals(other, value));
            if (known >= 0)
            {
                return $"#{known}";
            }

            number = $"#{_shared.Count}=";
            _shared.Add(value);
        }

        IEnumerable<string> members = CanonicalBytes.SchemaOf(type).Members
            .Select(member => (member.Name, Text: Member(value, type, member)))
            .Where(member => !(_isSparse && Defaults.Contains(member.Text)))
            .Select(static member => $"{member.Name}:{member.Text}");
        return $"{number}M{{{string.Join(';', members)}}}";
    }

    private string Member(object message, Type owner, MemberSchema member)
    {
        int bracket = member.Name.IndexOf('[', StringComparison.Ordinal);
        if (bracket > 0)
        {
            (Type element, IEnumerable items) = CanonicalBytes.ElementsOf(message, owner);
            return Items(items, element, null);
        }

        (Type declared, object? value, Type? packer) = Find(message, owner, member.Name);
        string text = Text(value, declared, packer);

        // A type parameter of fixed size is a tuple of one part.
        Type type = Nullable.GetUnderlyingType(declared) ?? declared;
        return member.Kind.StartsWith("tuple<", StringComparison.Ordinal) && !IsTuple(type) && GroupOf(type) is null ? $"({text})" : text;
    }

    private static (Type Type, object? Value, Type? Packer) Find(object message, Type type, string name)
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        for (Type? at = type; at is not null; at = at.BaseType)
        {
            if (at.GetProperty(name, Any) is { } property)
            {
                return (property.PropertyType, property.GetValue(message), property.GetCustomAttribute<PackWithAttribute>()?.PackerType);
            }

            if (at.GetField(name, Any) is { } field)
            {
                return (field.FieldType, field.GetValue(message), field.GetCustomAttribute<PackWithAttribute>()?.PackerType);
            }
        }

        throw new InvalidOperationException($"{type} has no member {name}.");
    }

    private string Container(object value, Type declared, Type? packer)
    {
        Type type = value.GetType();
        if (value is Array { Rank: > 1 } grid)
        {
            string lengths = string.Join('x', Enumerable.Range(0, grid.Rank).Select(grid.GetLength));
            return $"grid{lengths}{Items(grid, type.GetElementType()!, packer)}";
        }

        // A group is a tuple of its key and itself, as a collection.
        if (IsTuple(type) || GroupOf(declared) is not null)
        {
            (Type Type, object? Value)[] parts = [.. Parts(value, GroupOf(declared) ?? type)];
            return $"({string.Join(',', parts.Select(part => Text(part.Value, part.Type, packer)))})";
        }

        if (Array.Find(type.GetInterfaces(), IsDictionary) is { } dictionary)
        {
            Type[] types = dictionary.GetGenericArguments();
            IEnumerable<string> entries = ((IEnumerable)value).Cast<object>().Select(
                entry => $"{Text(PackingOrder.Part(entry, 0), types[0], packer)}={Text(PackingOrder.Part(entry, 1), types[1], packer)}");
            return $"{{{string.Join(',', entries)}}}";
        }

        return ElementOf(type) is { } element
            ? PackingOrder.Items(value) is { } items ? Items(items, element, packer) : "null"
            : CanonicalBytes.Hex(CanonicalBytes.OfStruct(value, declared));
    }

    private string Items(IEnumerable items, Type element, Type? packer)
    {
        Type number = element.IsEnum ? Enum.GetUnderlyingType(element) : element;
        return number == typeof(byte) && (packer is null || !Packs(packer, element))
            ? CanonicalBytes.Hex([.. items.Cast<object>().Select(static item => Convert.ToByte(item, CultureInfo.InvariantCulture))])
            : $"[{string.Join(',', items.Cast<object?>().Select(item => Text(item, element, packer)))}]";
    }

    // A value tuple of more than seven elements is flat; a class's rest is a tuple of its own.
    private static IEnumerable<(Type Type, object? Value)> Parts(object value, Type type)
    {
        Type[] types = type.GetGenericArguments();
        if (value is ITuple tuple && type.IsValueType)
        {
            int count = 0;
            for (; types.Length == 8; types = types[7].GetGenericArguments())
            {
                foreach (Type one in types[..7])
                {
                    yield return (one, tuple[count++]);
                }
            }

            foreach (Type one in types)
            {
                yield return (one, tuple[count++]);
            }

            yield break;
        }

        for (int i = 0; i < types.Length; i++)
        {
            yield return value is ITuple
                ? (types[i], value.GetType().GetProperty(i == 7 ? "Rest" : $"Item{i + 1}")!.GetValue(value))
                : (i == 1 && GroupOf(type) is not null ? typeof(IEnumerable<>).MakeGenericType(types[1]) : types[i],
                    PackingOrder.Part(value, i));
        }
    }

    private static Type? ElementOf(Type type)
        => type.IsArray ? type.GetElementType()
        : Array.Find([.. type.GetInterfaces(), type], Is(typeof(IEnumerable<>)).Invoke) is { } items
            ? items.GetGenericArguments()[0]
        : !type.IsGenericType ? null
        : type.GetGenericTypeDefinition() == typeof(PriorityQueue<,>)
            ? typeof(ValueTuple<,>).MakeGenericType(type.GetGenericArguments())
        : type.Name is "Memory`1" or "ReadOnlyMemory`1" or "ReadOnlySequence`1" ? type.GetGenericArguments()[0]
        : null;

    private static Type? GroupOf(Type type) => Array.Find([.. type.GetInterfaces(), type], Is(typeof(IGrouping<,>)).Invoke);

    private static bool IsDictionary(Type contract)
        => Is(typeof(IDictionary<,>))(contract) || Is(typeof(IReadOnlyDictionary<,>))(contract);

    private static Func<Type, bool> Is(Type definition) => type => type.IsGenericType && type.GetGenericTypeDefinition() == definition;

    // Not an array of tuples, whose name begins like theirs.
    private static bool IsTuple(Type type)
        => type.IsGenericType && type.Name.Split('`')[0] is "ValueTuple" or "Tuple" or "KeyValuePair" or "Lazy";

    private static bool Packs(Type packer, Type type)
        => packer.GetCustomAttribute<PackUnionOfAttribute>()?.Union == type || packer.GetInterfaces().Contains(
            typeof(IPacker<>).MakeGenericType(type));
}
