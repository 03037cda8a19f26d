namespace BlitQueue.Generator.Tests.Execute;

/// <summary>
/// What a constructor, an initializer or a callback put into a new instance may be used elsewhere: nothing is written to it.
/// </summary>
public class FreshTests
{
    private const string Parts = """
        using System.Collections;
        using System.Linq;

        [QueueMessage] public partial class Address
        {
            public static readonly Address Empty = new() { City = "" };
            public string? City { get; set; }
            public List<string>? Lines { get; set; }
        }

        [QueueMessage] public partial struct Slot { public Address? At; public int[]? Hours; }
        [QueueMessage, PackUnion(0, typeof(Van)), PackUnion(1, typeof(Bike))] public abstract partial class Carrier {
            public int Id { get; set; } }
        [QueueMessage] public sealed partial class Van : Carrier { public Address? Depot { get; set; } }
        [QueueMessage] public sealed partial class Bike : Carrier { public string? Rider { get; set; } }
        [QueueMessage] public sealed partial class Box<T> {
            public T? Content { get; set; } = Shared.Of<T>(); public List<T>? All { get; set; } = Shared.ListOf<T>(); }

        public readonly struct FillingPacker : IPacker<Address>
        {
            public static void Pack(ref PackWriter writer, scoped in Address? value) => writer.WriteMessage(in value);
            public static void Unpack(ref PackReader reader, scoped ref Address? value) => reader.ReadMessage(ref value);
        }

        public readonly struct SlotPacker : IPacker<Slot>
        {
            public static void Pack(ref PackWriter writer, scoped in Slot value) => writer.WriteMessage(in value);
            public static void Unpack(ref PackReader reader, scoped ref Slot value) => reader.ReadMessage(ref value);
        }

        public static class Shared
        {
            public static readonly Address Address = new() { City = "nowhere", Lines = ["line"] };
            public static readonly int[] Numbers = [0, 0];
            public static readonly bool[] Bits = [false, false];
            public static readonly byte[] Bytes = [0, 0];
            public static readonly string[] Words = ["w", "w"];
            public static readonly List<Address> Addresses = [new() { City = "first" }, new() { City = "second" }];
            public static readonly Address[] Array = [new() { City = "first" }, new() { City = "second" }];
            public static readonly List<List<int>> Rows = [[0], [0]];
            public static readonly int[,] Grid = new int[2, 2];
            public static readonly Dictionary<string, Address> Map = new() { ["a"] = new() { City = "a" }, ["b"] = new() { City = "b" } };
            public static readonly SortedDictionary<string, Address> Sorted = new(
                Map.ToDictionary(entry => entry.Key, entry => new Address { City = entry.Key }));
            public static readonly HashSet<string> Set = ["s"];
            public static readonly Queue<Address> Queue = new([new() { City = "q" }]);
            public static readonly Stack<int> Stack = new([1, 2]);
            public static readonly System.Text.StringBuilder Text = new("text");
            public static readonly BitArray Flags = new(2);
            public static readonly Van Van = new() { Id = 9, Depot = new() { City = "depot" } };
            public static readonly Memory<int> Memory = Numbers;

            public static T? Of<T>() => typeof(T) == typeof(Address) ? (T)(object)Address : typeof(T) == typeof(List<int>)
                ? (T)(object)Rows[0] : default;
            public static List<T>? ListOf<T>() => Addresses as List<T>;

            public static string Look() => string.Join('|', Words) + string.Join(',', Numbers) + Bits[0] + Bits[1] + Bytes[0] + Bytes[1]
                + Text + Flags[0] + Flags[1]
                + Grid[0, 0] + Grid[1, 1] + string.Join(',', Set) + string.Join(',', Stack) + string.Join(
                    ';', Rows.Select(row => string.Join(',', row)))
                + Convert.ToHexString(Packer.Pack(new Everything
                {
                    Address = Address, Again = Address.Empty, Addresses = Addresses, Array = Array, Map = Map, Sorted = Sorted,
                    Queue = Queue, Carrier = Van,
                    Slot = new() { At = Address, Hours = Numbers },
                }));
        }

        [QueueMessage]
        public partial class Everything
        {
            public Address? Address { get; set; }
            public Address? Again { get; set; }
            public List<Address>? Addresses { get; set; }
            public Address[]? Array { get; set; }
            public Dictionary<string, Address>? Map { get; set; }
            public SortedDictionary<string, Address>? Sorted { get; set; }
            public Queue<Address>? Queue { get; set; }
            public Carrier? Carrier { get; set; }
            public Slot Slot { get; set; }
        }
        """;

    private static readonly string[] Members =
    [
        "Address? A0 = Shared.Address", "Address? A1 = Shared.Address", "Address A2 = Address.Empty", "int[]? A3 = Shared.Numbers",
        "string[]? A4 = Shared.Words", "List<Address>? A5 = Shared.Addresses", "Address[]? A6 = Shared.Array",
        "List<List<int>>? A7 = Shared.Rows",
        "int[,]? A8 = Shared.Grid", "Dictionary<string, Address>? A9 = Shared.Map",
        "SortedDictionary<string, Address>? A10 = Shared.Sorted",
        "HashSet<string>? A11 = Shared.Set", "Queue<Address>? A12 = Shared.Queue", "Stack<int>? A13 = Shared.Stack",
        "System.Text.StringBuilder? A14 = Shared.Text",
        "BitArray? A15 = Shared.Flags", "Carrier? A16 = Shared.Van", "Slot A17 = new() { At = Shared.Address, Hours = Shared.Numbers }",
        "Slot? A18 = new Slot { At = Shared.Address, Hours = Shared.Numbers }", "(Address, int[]) A19 = (Shared.Address, Shared.Numbers)",
        "Memory<int> A20 = Shared.Memory", "ArraySegment<int> A21 = Shared.Numbers", "IList<Address>? A22 = Shared.Addresses",
        "IReadOnlyDictionary<string, Address>? A23 = Shared.Map", "IEnumerable<List<int>>? A24 = Shared.Rows", "Box<Address>? A25 = new()",
        "Tuple<Address, int[]>? A26 = new(Shared.Address, Shared.Numbers)", "Lazy<Address>? A27 = new(Shared.Address)",
        "KeyValuePair<string, Address> A28 = new(\"k\", Shared.Address)", "Box<List<int>>? A29 = new()",
    ];

    private static readonly string[] Packed =
    [
        "[PackWith(typeof(FillingPacker))] public Address? B0 { get; set; } = Shared.Address;",
        "[PackWith(typeof(SlotPacker))] public Slot B1 { get; set; } = new() { At = Shared.Address, Hours = Shared.Numbers };",
        "[PackWith(typeof(BitPackedBools))] public bool[]? B2 { get; set; } = Shared.Bits;",
        "[PackWith(typeof(BrotliBytes))] public byte[]? B3 { get; set; } = Shared.Bytes;",
        "[PackWith(typeof(FillingPacker))] public List<Address>? B4 { get; set; } = Shared.Addresses;",
    ];

    // Three messages, each with other values in the places that the shared ones have.
    private const string Probe = """
        public static class Probe
        {
            static Address Make(int i) => new() { City = "city" + i, Lines = ["one" + i, "two" + i] };

            static Message Full(int i)
            {
                Message message = INITIAL;
                int[] numbers = [i, i + 1];
                var slot = new Slot { At = Make(i), Hours = [i] };
                (message.A0, message.A1, message.A2, message.A3, message.A4, message.A5, message.A6) = (Make(i), Make(i + 1), Make(i + 2),
                    numbers, ["x" + i, "y"], [Make(i), Make(-i)], [Make(i), Make(-i)]);
                (message.A7, message.A8, message.A9, message.A10) = ([[i], [i, i]], new int[,] { { i, 1 }, { 2, i } },
                    new() { ["b"] = Make(i), ["a"] = Make(2) }, new() { ["a"] = Make(i) });
                (message.A11, message.A12, message.A13, message.A14, message.A15, message.A16) = (["t" + i], new([Make(i)]), new([i]),
                    new("text" + i), new([true, true]), new Van { Id = i, Depot = Make(i) });
                (message.A17, message.A18, message.A19, message.A20, message.A21, message.A22) = (slot, slot, (Make(i), [i, 5]),
                    new[] { i, 4 }, new[] { i, 3 }, [Make(i)]);
                (message.A23, message.A24, message.A25, message.A26, message.A27) = (new Dictionary<string, Address> { ["a"] = Make(i) },
                    [[i]], new() { Content = Make(i), All = [Make(i)] }, new(Make(i), [i, 2]), new(Make(i)));
                (message.A28, message.A29, message.B0, message.B1, message.B2, message.B3, message.B4) = (new("n", Make(i)),
                    new() { Content = [i], All = null }, Make(i), slot, [true, true], [(byte)i, 1], [Make(i)]);
                return message;
            }

            public static void Run()
            {
                var before = Shared.Look();
                var sent = Enumerable.Range(1, 3).Select(Full).ToList();
                var bytes = sent.Select(message => Packer.Pack(message)).ToList();
                Xunit.Assert.Equal(before, Shared.Look());
                var come = bytes.Select(packed => Packer.Unpack<Message>(packed)!).ToList();
                Xunit.Assert.Equal(before, Shared.Look());
                Xunit.Assert.Equal(bytes.Select(Convert.ToHexString), come.Select(message => Convert.ToHexString(Packer.Pack(message))));

                // As elements: new ones of what is given.
                List<Message?>? list = [null, come[0]];
                Holder? holder = new() { Many = list, ByName = new() { ["x"] = come[1] } };
                Packer.Unpack(
                    Packer.Pack(
                    new Holder { Many = [sent[0], sent[1], sent[2]], ByName = new() { ["y"] = sent[2], ["x"] = sent[0] }, One = sent[1] }),
                        ref holder);
                Xunit.Assert.Same(list, holder!.Many);
                Xunit.Assert.Equal(before, Shared.Look());
                Xunit.Assert.Equal(bytes.Select(Convert.ToHexString),
                    holder.Many!.Select(message => Convert.ToHexString(Packer.Pack(message))));
                Xunit.Assert.Equal(Convert.ToHexString(bytes[2]), Convert.ToHexString(Packer.Pack(holder.ByName!["y"])));

                // What another version wrote.
                var older = Packer.Unpack<Message>(Packer.Pack(new Older { A0 = Make(7), A1 = Make(8) }))!;
                Xunit.Assert.Equal(("city7", "city8"), (older.A0!.City, older.A1!.City));
                Xunit.Assert.Equal(before, Shared.Look());
                Xunit.Assert.Same(Address.Empty, older.A2);
            }
        }

        [QueueMessage] public partial class Holder { public List<Message?>? Many { get; set; }
            public Dictionary<string, Message>? ByName { get; set; } public Message? One { get; set; } }
        """;

    public static TheoryData<string, PackLayout> Forms { get; } = new()
    {
        { "class", PackLayout.Sequential },
        { "class", PackLayout.VersionTolerant },
        { "class", PackLayout.CircularReference },
        { "constructor", PackLayout.Sequential },
        { "constructor", PackLayout.VersionTolerant },
        { "constructor", PackLayout.CircularReference },
        { "base", PackLayout.Sequential },
        { "base", PackLayout.VersionTolerant },
        { "base", PackLayout.CircularReference },
        { "arguments", PackLayout.Sequential },
        { "arguments", PackLayout.VersionTolerant },
        { "required", PackLayout.Sequential },
        { "required", PackLayout.VersionTolerant },
        { "callback", PackLayout.Sequential },
        { "callback", PackLayout.VersionTolerant },
        { "callback", PackLayout.CircularReference },
        { "generic", PackLayout.Sequential },
        { "getters", PackLayout.Sequential },
        { "init", PackLayout.Sequential },
        { "init", PackLayout.VersionTolerant },
    };

    [Theory]
    [MemberData(nameof(Forms))]
    public void Nothing_is_written_to_what_a_new_instance_was_given(string form, PackLayout layout)
        => LoadedAssembly.Run(Parts, Declaration(form, layout), "using System.Linq;" + Probe.Replace("INITIAL", form switch
        {
            "arguments" => "new(i)",
            "required" => "new() { Number = i }",
            _ => "new()",
        }, StringComparison.Ordinal));

    private static string Declaration(string form, PackLayout layout)
    {
        bool isTolerant = layout == PackLayout.VersionTolerant;
        var members = Members.Select((member, index) => (isTolerant ? $"[PackOrder({index})] " : "") + Member(member, form))
            .Concat(Packed.Select((member, index) => (isTolerant ? $"[PackOrder({Members.Length + index})] " : "") + member))
            .ToList();
        string last = isTolerant ? "[PackOrder(99)] " : "";
        string extra = form switch
        {
            "constructor" => $"public Message() {{ {Assignments()} }}",
            "callback" => $"[OnUnpacking] void Begin() {{ {Assignments()} }}",
            "arguments" => $"public Message(int number) => Number = number; {last}public int Number {{ get; set; }}",
            "required" => last + "public required int Number { get; set; }",
            "init" => last + "public int Number { get; init; } = 5;",
            _ => "",
        };
        string older = string.Concat(
            Members.Take(2).Select((member, index)
            => $"{(isTolerant ? $"[PackOrder({index})] " : "")}public {member[..member.IndexOf('=')]} {{ get; set; }}\n"));
        string body = string.Join('\n', members.Append(extra));
        string head = $"[QueueMessage(Layout = PackLayout.{layout})] public partial class ";
        string message = form switch
        {
            "base" => $"public class Base {{ {body} }} {head}Message : Base;",
            "generic" => $"{head}Of<T> {{ {body} }} ",
            _ => $"{head}Message {{ {body} }}",
        };
        return $"{(form == "generic" ? "global using Message = Of<int>;" : "")}using System.Collections;\n{message}\n{head}Older {{ "
            + $"{older} }}";
    }

    // Of the sort that the form is about: an initializer, or none, or a getter that makes one.
    private static string Member(string member, string form)
    {
        int at = member.IndexOf('=', StringComparison.Ordinal);
        (string? declared, string? initial) = (member[..at].Trim(), member[(at + 1)..].Trim());
        if (initial == "new()")
        {
            initial = $"new {declared[..declared.LastIndexOf(' ')].TrimEnd('?')}()";
        }

        return form switch
        {
            "getters" when !declared.StartsWith("Slot ", StringComparison.Ordinal) && declared.Contains('?', StringComparison.Ordinal)
                => $"public {declared} {{ get => field ?? {initial}; set; }}",
            "constructor" or "callback"
                => $"public {declared} {{ get; set; "
                + $"}}{(declared.StartsWith("Address A2", StringComparison.Ordinal) ? " = Address.Empty;" : "")}",
            _ => $"public {declared} {{ get; set; }} = {initial};",
        };
    }

    private static string Assignments() => string.Concat(Members.Select(member =>
    {
        int at = member.IndexOf('=', StringComparison.Ordinal);
        string declared = member[..at].Trim();
        int space = declared.LastIndexOf(' ');
        string initial = member[(at + 1)..].Trim();
        string value = initial.StartsWith("new(", StringComparison.Ordinal)
            ? $"new {declared[..space].TrimEnd('?')}{initial[3..]}" : initial;
        return $"{declared[(space + 1)..]} = {value}; ";
    }));

    [Fact]
    public void Nothing_that_a_callback_put_into_a_given_instance_is_written_to() => LoadedAssembly.Run("""
        [QueueMessage] public sealed partial class Address {
            public static readonly Address Empty = new() { City = "" }; public string? City { get; set; } }
        [QueueMessage] public partial class Order { public Address? Ship { get; set; } [OnUnpacking] void Reset() => Ship = Address.Empty; }
        [QueueMessage] public partial struct Slot { public Address? At; [OnUnpacking] void Reset() => At = Address.Empty; }
        [QueueMessage] public partial class Older;

        public static class Probe
        {
            public static void Run()
            {
                var mine = new Address();
                Order? order = new() { Ship = mine };
                Packer.Unpack(Packer.Pack(new Order { Ship = new() { City = "Rome" } }), ref order);
                Xunit.Assert.Same(mine, order!.Ship);
                var slot = new Slot { At = mine };
                Packer.Unpack(Packer.Pack(new Slot { At = new() { City = "Oslo" } }), ref slot);
                Xunit.Assert.Same(mine, slot.At);
                Xunit.Assert.Equal("Oslo", mine.City);
                Xunit.Assert.Equal("", Address.Empty.City);
                Packer.Unpack(Packer.Pack(new Older()), ref order);
                Xunit.Assert.Null(order!.Ship);
            }
        }
        """);

    [Fact]
    public void Nothing_that_setters_and_getters_of_a_given_instance_chose_is_written_to() => LoadedAssembly.Run("""
        [QueueMessage] public sealed partial class Address {
            public static readonly Address Empty = new() { City = "" }; public string? City { get; set; } }

        [QueueMessage] public partial class Order
        {
            private Address? _lazy, _simple;
            public string? Kind { get; set { field = value; Ship = Address.Empty; } }
            public Address? Ship { get; set; }
            public Address? Bill { get => field ?? Address.Empty; set; }
            public Address? Block { get { return field ?? Address.Empty; } set; }
            public Address Lazy { get => _lazy ??= new(); set => _lazy = value; }
            public Address? Simple { get => _simple; set => _simple = value; }
            public partial Address? Part { get; set; }
        }

        public partial class Order { public partial Address? Part { get => field ?? Address.Empty; set; } }

        [QueueMessage] public partial struct Slot { private Address? _at;
            public int Number { readonly get; set { field = value; At = Address.Empty; } }
            public Address? At { readonly get => _at; set => _at = value; } }

        [QueueMessage] public partial class Given(int id)
        {
            public int Id { get; set; } = id;
            public Address? Bill { get => field ?? Address.Empty; set; }
            public Address? Simple { get; set; }
        }

        public static class Probe
        {
            static Address Of(string city) => new() { City = city };

            public static void Run()
            {
                Address mine = new(), lazy, simple = new();
                Order? order = new() { Ship = mine, Simple = simple };
                lazy = order.Lazy;
                var bytes = Packer.Pack(
                    new Order { Kind = "k", Ship = Of("a"), Bill = Of("b"), Block = Of("c"), Lazy = Of("d"), Simple = Of("e"),
                    Part = Of("f") });
                Packer.Unpack(bytes, ref order);
                Xunit.Assert.Equal("", Address.Empty.City);
                Xunit.Assert.Equal("abcdef", order!.Ship!.City + order.Bill!.City + order.Block!.City + order.Lazy.City + order.Simple!.City
                    + order.Part!.City);
                Xunit.Assert.Same(mine, order.Ship);
                Xunit.Assert.Same(lazy, order.Lazy);
                Xunit.Assert.Same(simple, order.Simple);
                var slot = new Slot { Number = 1, At = mine };
                Packer.Unpack(Packer.Pack(new Slot { Number = 2, At = Of("Oslo") }), ref slot);
                Xunit.Assert.Same(mine, slot.At);
                Xunit.Assert.Equal(("", "Oslo"), (Address.Empty.City, slot.At!.City));
                Given? given = new(1) { Simple = simple };
                Packer.Unpack(Packer.Pack(new Given(2) { Bill = Of("b"), Simple = Of("p") }), ref given);
                Xunit.Assert.Equal(("", "b"), (Address.Empty.City, given!.Bill!.City));
                Xunit.Assert.Same(simple, given.Simple);
            }
        }
        """);

    [Fact]
    public void What_a_collection_contains_by_its_construction_is_dropped() => LoadedAssembly.Run("""
        using System.Collections;
        using System.Collections.ObjectModel;
        using System.Linq;

        [QueueMessage] public sealed partial class Address {
            public static readonly Address Empty = new() { City = "" }; public string? City { get; set; } }
        public class Roster : List<Address> { public Roster() => Add(Address.Empty); }
        public class Watched : ObservableCollection<Address> { public Watched() => Add(Address.Empty); }
        public class Names : HashSet<string> { public Names() => Add("default"); }
        public class Urgent : PriorityQueue<string, int> { public Urgent() => Enqueue("default", 1); }
        public class Index : Dictionary<string, Address> { public Index() => Add("", Address.Empty); }
        public class Log : ICollection<string>
        {
            private readonly List<string> _lines = ["begin"];
            public int Count => _lines.Count;
            public bool IsReadOnly => false;
            public void Add(string line) => _lines.Add(line);
            public void Clear() => _lines.Clear();
            public bool Contains(string line) => _lines.Contains(line);
            public void CopyTo(string[] array, int index) => _lines.CopyTo(array, index);
            public bool Remove(string line) => _lines.Remove(line);
            public IEnumerator<string> GetEnumerator() => _lines.GetEnumerator();
            IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
        }

        [QueueMessage]
        public partial class Order
        {
            public Roster? Roster { get; set; }
            public Watched? Watched { get; set; }
            public Names? Names { get; set; }
            public Urgent? Urgent { get; set; }
            public Index? Index { get; set; }
            public Log? Log { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                var sent = new Order { Roster = new(), Watched = new(), Names = new(), Urgent = new(), Index = new(), Log = new() };
                (sent.Roster[0], sent.Watched[0], sent.Index[""]) = (new() { City = "Rome" }, new() { City = "Rome" },
                    new() { City = "Rome" });
                sent.Names.Remove("default");
                sent.Urgent.Clear();
                var come = Packer.Unpack<Order>(Packer.Pack(sent))!;
                Xunit.Assert.Equal("", Address.Empty.City);
                Xunit.Assert.Equal((1, 1, 0, 0, 1, 1),
                    (come.Roster!.Count, come.Watched!.Count, come.Names!.Count, come.Urgent!.Count, come.Index!.Count, come.Log!.Count));
                Xunit.Assert.Equal(("Rome", "Rome", "Rome"), (come.Roster[0].City, come.Watched[0].City, come.Index[""].City));
            }
        }
        """);
}
