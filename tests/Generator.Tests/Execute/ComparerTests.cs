using BlitQueue.Generated;
namespace BlitQueue.Generator.Tests.Execute;

/// <summary>Comparers are not packed: a new message has those that its construction chose, whatever comes into its collections.</summary>
public class ComparerTests
{
    // Of each collection with a comparer: its type, how it is made, and the expression that is true where the comparer is the one chosen.
    private static readonly (string Type, string Make, string Has)[] All =
    [
        ("Dictionary<string, int>", "new(NoCase)", "{0}.ContainsKey(\"A\")"),
        ("SortedDictionary<string, int>", "new(NoCase)", "{0}.ContainsKey(\"A\")"),
        ("SortedList<string, int>", "new(NoCase)", "{0}.ContainsKey(\"A\")"),
        ("OrderedDictionary<string, int>", "new(NoCase)", "{0}.ContainsKey(\"A\")"),
        ("System.Collections.Concurrent.ConcurrentDictionary<string, int>", "new(NoCase)", "{0}.ContainsKey(\"A\")"),
        ("IDictionary<string, int>", "new Dictionary<string, int>(NoCase)", "{0}.ContainsKey(\"A\")"),
        ("IReadOnlyDictionary<string, int>", "new Dictionary<string, int>(NoCase)", "{0}.ContainsKey(\"A\")"),
        ("ImmutableDictionary<string, int>", "ImmutableDictionary.Create<string, int>(NoCase)", "{0}.ContainsKey(\"A\")"),
        ("ImmutableSortedDictionary<string, int>", "ImmutableSortedDictionary.Create<string, int>(NoCase)", "{0}.ContainsKey(\"A\")"),
        ("IImmutableDictionary<string, int>", "ImmutableDictionary.Create<string, int>(NoCase)", "{0}.ContainsKey(\"A\")"),
        ("FrozenDictionary<string, int>", "new Dictionary<string, int> { [\"x\"] = 1 }.ToFrozenDictionary(NoCase)",
            "{0}.ContainsKey(\"A\")"),
        ("HashSet<string>", "new(NoCase)", "{0}.Contains(\"A\")"),
        ("SortedSet<string>", "new(NoCase)", "{0}.Contains(\"A\")"),
        ("ISet<string>", "new HashSet<string>(NoCase)", "{0}.Contains(\"A\")"),
        ("IReadOnlySet<string>", "new HashSet<string>(NoCase)", "{0}.Contains(\"A\")"),
        ("ImmutableHashSet<string>", "ImmutableHashSet.Create<string>(NoCase)", "{0}.Contains(\"A\")"),
        ("ImmutableSortedSet<string>", "ImmutableSortedSet.Create<string>(NoCase)", "{0}.Contains(\"A\")"),
        ("IImmutableSet<string>", "ImmutableHashSet.Create<string>(NoCase)", "{0}.Contains(\"A\")"),
        ("FrozenSet<string>", "new[] { \"x\" }.ToFrozenSet(NoCase)", "{0}.Contains(\"A\")"),
        ("PriorityQueue<int, int>", "new(Comparer<int>.Create((x, y) => y.CompareTo(x)))", "{0}.Peek() == 2"),
    ];

    public static TheoryData<string, PackLayout> Forms { get; } = new()
    {
        { "{ get; set; } = MADE;", PackLayout.Sequential },
        { "{ get; set; } = MADE;", PackLayout.VersionTolerant },
        { "{ get; set; } = MADE;", PackLayout.CircularReference },
        { "{ get; init; } = MADE;", PackLayout.Sequential },
        { "{ get; init; } = MADE;", PackLayout.VersionTolerant },
        { "{ get => field ?? MADE; set; }", PackLayout.Sequential },
        { "in a constructor", PackLayout.Sequential },
        { "in a constructor", PackLayout.VersionTolerant },
        { "beside arguments", PackLayout.Sequential },
        { "in a record", PackLayout.Sequential },
    };

    [Theory]
    [MemberData(nameof(Forms))]
    public void A_new_message_has_the_comparers_of_its_construction(string form, PackLayout layout)
    {
        bool isTolerant = layout == PackLayout.VersionTolerant;
        IEnumerable<string> members = All.Select((one, index)
            => $"{(isTolerant ? $"[PackOrder({index})] " : "")}public {one.Type}? M{index} " + form switch
            {
                "in a constructor" => "{ get; set; }",
                "beside arguments" => $"{{ get; set; }} = {Made(one)};",
                "in a record" => $"{{ get; init; }} = {Made(one)};",
                _ => form.Replace("MADE", Made(one), StringComparison.Ordinal),
            });
        string made = string.Concat(All.Select((one, index) => $"M{index} = {Made(one)}; "));
        string constructor = form switch
        {
            "in a constructor" => $"public Message() {{ {made} }}",
            "beside arguments" => "public Message(int number) => Number = number; public int Number { get; set; }",
            _ => "",
        };
        IEnumerable<string> simple = All.Select((one, index)
            => $"{(isTolerant ? $"[PackOrder({index})] " : "")}public {one.Type}? M{index} {{ get; set; }}");
        string filled = string.Concat(All.Select((one, index) => $"M{index} = {Content(one.Type)}, "));
        string checks = string.Concat(
            All.Select((one, index) => $"Xunit.Assert.True({string.Format(null, one.Has, $"message.M{index}!")}, \"{one.Type}\");\n"));
        LoadedAssembly.Run($$"""
            global using System.Collections.Frozen;
            global using System.Collections.Immutable;
            global using System.Linq;
            [QueueMessage(Layout = PackLayout.{{layout}})]
            public partial {{(form == "in a record" ? "record Message(int Number)" : "class Message")}}
            {
                static StringComparer NoCase => StringComparer.OrdinalIgnoreCase;
                {{string.Join('\n', members)}}
                {{constructor}}
            }

            [QueueMessage(Layout = PackLayout.{{layout}})] public partial class Simple {
                {{(constructor.Contains("Number", StringComparison.Ordinal)
                || form == "in a record" ? "public int Number { get; set; }" : "")}} {{string.Join('\n', simple)}} }

            public static class Probe
            {
                public static void Run()
                {
                    var bytes = Packer.Pack(new Simple { {{filled}} });
                    var message = Packer.Unpack<Message>(bytes)!;
                    {{checks}}
                    Xunit.Assert.Equal(Convert.ToHexString(Packer.Pack(new Simple { M0 = message.M0 })),
                        Convert.ToHexString(Packer.Pack(new Simple { M0 = new() { ["a"] = 1 } })));
                    Message? given = message;
                    Packer.Unpack(bytes, ref given);
                    message = given!;
                    {{checks}}
                }
            }
            """);
    }

    [Fact]
    public void Of_keys_that_the_comparer_finds_equal_one_is_left() => LoadedAssembly.Run("""
        using System.Collections.Immutable;
        [QueueMessage] public partial class Simple { public Dictionary<string, int>? Map { get; set; } }
        [QueueMessage] public partial class Set { public Dictionary<string, int>? Map { get; set; }
            = new(StringComparer.OrdinalIgnoreCase); }
        [QueueMessage] public partial class Init { public Dictionary<string, int>? Map { get; init; }
            = new(StringComparer.OrdinalIgnoreCase); }
        [QueueMessage] public partial class Sorted { public SortedList<string, int>? Map { get; init; }
            = new(StringComparer.OrdinalIgnoreCase); }
        [QueueMessage] public partial class Fixed { public ImmutableDictionary<string, int>? Map { get; set; }
            = ImmutableDictionary.Create<string, int>(StringComparer.OrdinalIgnoreCase); }
        [QueueMessage] public partial class FixedSorted { public ImmutableSortedDictionary<string, int>? Map { get; set; }
            = ImmutableSortedDictionary.Create<string, int>(StringComparer.OrdinalIgnoreCase); }

        public static class Probe
        {
            public static void Run()
            {
                var bytes = Packer.Pack(new Simple { Map = new() { ["a"] = 1, ["A"] = 2 } });
                Xunit.Assert.Equal(2, Xunit.Assert.Single(Packer.Unpack<Set>(bytes)!.Map!).Value);
                Xunit.Assert.Equal(2, Xunit.Assert.Single(Packer.Unpack<Init>(bytes)!.Map!).Value);
                Xunit.Assert.Single(Packer.Unpack<Sorted>(bytes)!.Map!);
                Xunit.Assert.Single(Packer.Unpack<Fixed>(bytes)!.Map!);
                Xunit.Assert.Single(Packer.Unpack<FixedSorted>(bytes)!.Map!);
            }
        }
        """);

    [Fact]
    public void An_instance_at_two_positions_leaves_its_comparer_to_both() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Two { public Dictionary<string, int>? One { get; set; }
            public Dictionary<string, int>? Other { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var both = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase);
                Two? two = new() { One = both, Other = both };
                Packer.Unpack(Packer.Pack(new Two { One = new() { ["a"] = 1 }, Other = new() { ["b"] = 2 } }), ref two);
                Xunit.Assert.Same(both, two!.One);
                Xunit.Assert.NotSame(both, two.Other);
                Xunit.Assert.Equal((1, 2), (two.One!["A"], two.Other!["B"]));
            }
        }
        """);

    [Fact]
    public void A_collection_of_ones_own_is_made_with_the_comparer() => LoadedAssembly.Run("""
        public class Tags(IEqualityComparer<string>? comparer = null) : HashSet<string>(comparer);
        public class Prices : SortedDictionary<string, int> {
            public Prices() { } public Prices(IComparer<string> order) : base(order) => Add("x", 1); }
        public class Urgent : PriorityQueue<string, int> { public Urgent() { } public Urgent(IComparer<int>? order) : base(order) { } }
        public class Fixed : HashSet<string> { public Fixed() : base(StringComparer.OrdinalIgnoreCase) { } }

        [QueueMessage] public partial class Simple { public Tags? Tags { get; set; } public Prices? Prices { get; set; }
            public Urgent? Urgent { get; set; } public Fixed? Fixed { get; set; } public Tags? None { get; set; } }
        [QueueMessage] public partial class Order
        {
            public static readonly Tags Static = new(StringComparer.OrdinalIgnoreCase) { "s" };
            public Tags Tags { get; set; } = Static;
            public Prices? Prices { get; set; } = new(StringComparer.OrdinalIgnoreCase);
            public Urgent? Urgent { get; set; } = new(Comparer<int>.Create((x, y) => y.CompareTo(x)));
            public Fixed? Fixed { get; set; } = new();
            public Tags? None { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                var simple = new Simple { Tags = ["a"], Prices = new() { ["a"] = 1 }, Urgent = new(), Fixed = ["a"], None = ["n"] };
                simple.Urgent.Enqueue("low", 1);
                simple.Urgent.Enqueue("high", 2);
                var order = Packer.Unpack<Order>(Packer.Pack(simple))!;
                Xunit.Assert.Equal((true, true, true, "high", 1, false),
                    (order.Tags.Contains("A"), order.Prices!.ContainsKey("A"), order.Fixed!.Contains("A"), order.Urgent!.Peek(),
                    order.Prices.Count, order.None!.Contains("N")));
                Xunit.Assert.Equal(["s"], Order.Static);
            }
        }
        """);

    private static string Made((string Type, string Make, string Has) one)
        => one.Make.StartsWith("new(", StringComparison.Ordinal) ? $"new {one.Type}{one.Make[3..]}" : one.Make;

    private static string Content(string type) => type switch
    {
        "PriorityQueue<int, int>" => "new([(1, 1), (2, 2)])",
        _ when type.StartsWith("Immutable", StringComparison.Ordinal) || type.StartsWith("IImmutable", StringComparison.Ordinal)
            => type[(type.StartsWith("IImm", StringComparison.Ordinal) ? 1 : 0)..type.IndexOf('<')]
                .Replace("ImmutableSet", "ImmutableHashSet") + $".CreateRange({Items(type)})",
        _ when type.StartsWith("Frozen", StringComparison.Ordinal) => $"{Items(type)}.To{type[..type.IndexOf('<')]}()",
        _ when type.StartsWith('I') => "new " + (type.Contains("Dictionary", StringComparison.Ordinal) ? "Dictionary" : "HashSet")
            + $"{type[type.IndexOf('<')..]}({Items(type)})",
        _ => $"new({Items(type)})",
    };

    private static string Items(string type) => type.Contains("int", StringComparison.Ordinal)
        ? "new Dictionary<string, int> { [\"a\"] = 1 }" : "new[] { \"a\" }";
}
