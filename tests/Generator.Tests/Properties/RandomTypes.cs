using BlitQueue.Generator.Parse;

namespace BlitQueue.Generator.Tests.Properties;

/// <summary>Random message types over every kind of member; each may hold those before it.</summary>
/// <param name="seed">What they are made from.</param>
/// <param name="maxMembers">The most members of one.</param>
/// <param name="hasDefaults">New messages hold instances that are used elsewhere, those of <see cref="Statics"/>.</param>
internal sealed class RandomTypes(int seed, int maxMembers = 14, bool hasDefaults = false)
{
    private const int MaxNesting = 3;

    /// <summary>What the random types are made of beside the framework's types.</summary>
    public const string Common = """
        public struct Blitted { public int A; public float B; }
        [QueueMessage, PackUnion(0, typeof(Disc)), PackUnion(300, typeof(Box))] public abstract partial class Form {
            public int Id { get; set; } }
        [QueueMessage] public sealed partial class Disc : Form { public double Radius { get; set; } }
        [QueueMessage] public sealed partial class Box : Form { public string? Name { get; set; } public Form? Inner { get; set; } }
        [QueueMessage] public sealed partial class Wrapped<T> { public T? Content { get; set; } public List<T>? All { get; set; } }
        public readonly struct TextPacker : IPacker<string>
        {
            public static void Pack(ref PackWriter writer, scoped in string? value) => writer.WriteString(value, StringEncoding.Utf16);
            public static void Unpack(ref PackReader reader, scoped ref string? value) => value = reader.ReadString(value);
        }
        """;

    /// <summary>An instance of each type and number for all: made when it is first asked for, of what has none yet.</summary>
    public const string Statics = """
        public static class Statics
        {
            public static readonly Dictionary<(Type, int), object?> All = [];
            public static Func<Type, object?> Make = _ => null;

            public static T? Of<T>(int number)
            {
                if (!All.TryGetValue((typeof(T), number), out var made))
                {
                    All.Add((typeof(T), number), null);
                    All[(typeof(T), number)] = made = Make(typeof(T));
                }

                return made is T value ? value : default;
            }
        }
        """;

    private static readonly string[] Values =
    [
        "bool", "byte", "sbyte", "short", "ushort", "char", "int", "uint", "long", "ulong", "float", "double", "Half", "Int128", "UInt128",
        "decimal", "Guid", "DateTime", "DateTimeOffset", "TimeSpan", "DateOnly", "TimeOnly", "System.Text.Rune", "DayOfWeek", "Blitted",
        "System.Numerics.Complex", "System.Numerics.Vector2", "System.Numerics.Vector3", "System.Numerics.Vector4",
        "System.Numerics.Quaternion",
        "System.Numerics.Plane", "System.Numerics.Matrix3x2", "System.Numerics.Matrix4x4",
    ];

    private static readonly string[] Objects =
    [
        "System.Numerics.BigInteger", "Version?", "Uri?", "System.Text.StringBuilder?", "System.Collections.BitArray?",
        "System.Globalization.CultureInfo?", "TimeZoneInfo?",
    ];

    // What can be compared, and equals what it was after a round trip.
    private static readonly string[] Keys = ["int", "string", "short", "Guid", "DayOfWeek", "(int, string)", "decimal", "DateOnly"];

    private readonly Random _random = new(seed);
    private readonly List<TypeShape> _made = [];

    public IReadOnlyList<TypeShape> Make(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _made.Add(MakeOne($"M{i}"));
        }

        return _made;
    }

    private TypeShape MakeOne(string name)
    {
        var layout = (PackLayout)Pick(0, 0, 1, 2);
        TypeForm form = layout == PackLayout.CircularReference ? Pick(TypeForm.Class, TypeForm.SealedClass) : (TypeForm)_random.Next(6);
        int[] numbers = Enumerable.Range(0, 2 * maxMembers).ToArray();
        _random.Shuffle(numbers);
        var members = Enumerable.Range(0, _random.Next(1, maxMembers + 1))
            .Select(i => new MemberShape(i == 0 && Refers(form, layout) ? name + "?" : Any(0), $"A{i}", WayOf(form, layout), numbers[i]))
            .ToList();
        if (hasDefaults)
        {
            members = [.. members.Select(member => member with { Default = DefaultOf(member, form, members) })];
        }

        return new TypeShape(name, form, layout, _random.Next(4) == 0, members);
    }

    // Every circular type holds itself.
    private bool Refers(TypeForm form, PackLayout layout)
        => layout == PackLayout.CircularReference || (form is TypeForm.Class or TypeForm.Record && _random.Next(3) == 0);

    private MemberWay WayOf(TypeForm form, PackLayout layout) => form switch
    {
        _ when layout == PackLayout.CircularReference => Pick(MemberWay.Set, MemberWay.Set, MemberWay.Field),
        TypeForm.PositionalRecord => Pick(MemberWay.Constructor, MemberWay.Constructor, MemberWay.Init, MemberWay.Set),
        TypeForm.Struct => Pick(MemberWay.Set, MemberWay.Field),
        TypeForm.RecordStruct => Pick(MemberWay.Set, MemberWay.Constructor),
        TypeForm.SealedClass => Pick(MemberWay.Constructor, MemberWay.Set, MemberWay.Field),
        TypeForm.Record => Pick(MemberWay.Set, MemberWay.Init, MemberWay.Required),
        _ => Pick(MemberWay.Set, MemberWay.Set, MemberWay.Field, MemberWay.Init, MemberWay.Required),
    };

    private MemberDefault DefaultOf(MemberShape member, TypeForm form, List<MemberShape> members) => member.Way switch
    {
        MemberWay.Constructor => MemberDefault.None,
        not MemberWay.Field when _random.Next(5) == 0 && IsReference(member.Type) => MemberDefault.Getter,
        not MemberWay.Init when _random.Next(3) == 0 && form != TypeForm.PositionalRecord
            && !members.Exists(other => other.Way == MemberWay.Constructor) => MemberDefault.Constructor,
        _ => Pick(MemberDefault.Initializer, MemberDefault.Initializer, MemberDefault.None),
    };

    private static bool IsReference(string type)
        => type.EndsWith("]?", StringComparison.Ordinal)
            || (type.EndsWith(">?", StringComparison.Ordinal) && !type.StartsWith("KeyValuePair", StringComparison.Ordinal))
            || type is "string?" or "Form?";

    private string Any(int nesting) => _random.Next(nesting < MaxNesting ? 19 : 7) switch
    {
        0 or 1 => Pick(Values),
        2 => Pick(Values) + "?",
        3 => "string?",
        4 => Pick(Objects),
        5 => "Form?",
        6 => AnyMessage(),
        7 or 8 => Element(nesting) + "[]?",
        9 => Element(nesting) + Pick("[,]?", "[,,]?", "[,,,]?"),
        10 or 11 => $"List<{Any(nesting + 1)}>?",
        12 or 13 => AnyCollection(nesting),
        14 or 15 => AnyDictionary(nesting),
        16 => $"({Any(nesting + 1)}, {Any(nesting + 1)})" + Pick("", "?"),
        17 => Pick($"Wrapped<{Any(nesting + 1)}>?", $"System.Linq.IGrouping<{Pick(Keys)}, {Any(nesting + 1)}>?"),
        _ => Pick($"Lazy<{Any(nesting + 1)}>?", $"KeyValuePair<{Any(nesting + 1)}, {Any(nesting + 1)}>", $"Tuple<{Any(nesting + 1)}>?",
            $"(string?, {Any(nesting + 1)}, int)"),
    };

    private string AnyMessage() => _made.Count == 0 ? "Disc?" : Pick([.. _made]).Name + Pick("", "?");

    private string AnyCollection(int nesting)
    {
        Container container = Pick([.. Containers.Collections.Where(container => RandomContainersKnow(container.Type))]);
        string elements = container.Type[(container.Type.LastIndexOf('.') + 1)..] switch
        {
            "ILookup`2" => $"{Pick(Keys)}, {Any(nesting + 1)}",
            "PriorityQueue`2" => $"{Any(nesting + 1)}, {Pick(Keys)}",
            var name => name.Contains("Set", StringComparison.Ordinal) ? Pick(Keys) : Any(nesting + 1),
        };
        return $"{NameOf(container.Type)}<{elements}>{(container.IsSpan ? "" : "?")}";
    }

    private string AnyDictionary(int nesting)
    {
        Container container = Pick([.. Containers.Dictionaries.Where(container => RandomContainersKnow(container.Type))]);
        return $"{NameOf(container.Type)}<{Pick(Keys)}, {Any(nesting + 1)}>?";
    }

    // The question mark of an array's element would stand behind the brackets of an array of arrays.
    private string Element(int nesting)
    {
        string element = Any(nesting + 1);
        return element.EndsWith("]?", StringComparison.Ordinal) ? element[..^1] : element;
    }

    private static bool RandomContainersKnow(string type) => Mutations.RandomContainers.Knows(NameOf(type, withArity: true));

    private static string NameOf(string type) => type[..type.IndexOf('`')];

    private static string NameOf(string type, bool withArity) => withArity ? type[(type.LastIndexOf('.') + 1)..] : NameOf(type);

    private T Pick<T>(params T[] all) => all[_random.Next(all.Length)];
}
