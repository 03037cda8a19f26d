using System.Text;

namespace BlitQueue.Generator.Tests.Execute;

/// <summary>A view of any legal message gives, member by member, what was packed.</summary>
public class RandomViewTests
{
    private const int MemberCount = 30;
    private const int MaxNesting = 3;

    private static readonly string[] Values =
    [
        "bool", "byte", "short", "char", "int", "ulong", "float", "double", "Half", "Int128", "decimal", "Guid", "DateTime", "DateTimeOffset",
        "TimeSpan", "DateOnly", "TimeOnly", "System.Text.Rune", "DayOfWeek", "System.Numerics.Vector3", "Pair",
    ];

    private const string Common = """
        public struct Pair { public int A; public float B; }
        [QueueMessage] public partial class Leaf { public string? Name { get; set; } public int[]? Numbers { get; set; } }
        [QueueMessage] public partial record Row(long Id, string? Text) { public List<byte>? Bytes { get; init; } }
        [QueueMessage] public partial struct Dot { public short X; public string? Label; }

        public static partial class Probe
        {
            public static void Run(Func<Type, object?> make)
            {
                for (var i = 0; i < 20; i++)
                {
                    var message = (Message)make(typeof(Message))!;
                    Compare(new Message.View(Packer.Pack(in message)), message);
                }
            }

            // NaN is equal to itself here, in vectors too.
            private static void Same<V>(V expected, V actual) => Xunit.Assert.Equal($"{expected}|", $"{actual}|");

            private static void Same<V>(IEnumerable<V>? expected, V[]? actual)
                => Xunit.Assert.Equal(expected is null ? "null" : string.Join('|', expected), actual is null ? "null" : string.Join('|', actual));
        }
        """;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void A_random_view_gives_what_was_packed(int seed)
    {
        var random = new Random(seed);
        var message = new StringBuilder("[QueueMessage] public partial class Message {\n");
        var compare = new StringBuilder("public static partial class Probe { private static void Compare(Message.View view, Message message) {\n");
        for (var i = 0; i < MemberCount; i++)
        {
            var type = Any(random, 0);
            message.Append($"    public {type} M{i} {{ get; set; }}\n");
            compare.Append(Comparison(type, $"view.M{i}", $"message.M{i}", $"{i}"));
        }

        var filler = new RandomValues(random);
        LoadedAssembly.Of(message.Append("}\n").ToString(), compare.Append("} }\n").ToString(), Common).Call<object>("Run", (Func<Type, object?>)filler.MakeRoot);
    }

    private static string Comparison(string type, string view, string value, string id)
    {
        var plain = type.TrimEnd('?');
        if (Values.Contains(plain))
            return $"    Same({value}, {view});\n";
        if (plain == "string")
            return $"    Same({value}, {view}.ToString()); Same({value} is null, {view}.IsNull); Same(true, {view} == {value});\n";
        if (plain is "Leaf" or "Row" or "Dot")
            return $"    if ({value} is {{ }} v{id}) Xunit.Assert.Equal(Packer.Pack<{plain}>(in v{id}), Packer.Pack<{plain}>({view}.ToObject())); else Same(true, {view}.IsNull);\n";

        var element = plain.EndsWith("[]", StringComparison.Ordinal) ? plain[..^2] : plain["List<".Length..^1];
        if (Values.Contains(element.TrimEnd('?')))
            return $"    Same<{element}>({value}, {view}.ToArray());\n";

        return $"    var i{id} = 0; foreach (var e{id} in {view}) {{ var x{id} = {value}![i{id}++];\n    {Comparison(element, "e" + id, "x" + id, id + "_")}    }}\n"
            + $"    Same({value} is null, {view}.IsNull); Same({value} is null ? 0 : System.Linq.Enumerable.Count({value}), i{id});\n";
    }

    private static string Any(Random random, int nesting) => random.Next(nesting < MaxNesting ? 9 : 6) switch
    {
        0 => "string?",
        1 => "Leaf?",
        2 => "Row?",
        3 => random.Next(2) == 0 ? "Dot" : "Dot?",
        4 => Values[random.Next(Values.Length)] + "?",
        5 => Values[random.Next(Values.Length)],
        6 => $"{Element(random, nesting)}[]?",
        _ => $"List<{Any(random, nesting + 1)}>?",
    };

    // The question mark of an array's element would stand behind the brackets of an array of arrays.
    private static string Element(Random random, int nesting)
    {
        var element = Any(random, nesting + 1);
        return element.EndsWith("[]?", StringComparison.Ordinal) ? $"List<{element}>" : element;
    }
}
