using System.Text;

namespace BlitQueue.Generator.Tests.Execute;

/// <summary>Any legal message comes back: types with random members, filled at random.</summary>
public class RandomMessageTests
{
    private const int MemberCount = 40;
    private const int MaxNesting = 3;

    private static readonly string[] Values =
    [
        "bool", "byte", "sbyte", "short", "ushort", "char", "int", "uint", "long", "ulong", "float", "double", "Half", "Int128", "UInt128",
        "decimal", "Guid", "DateTime", "DateTimeOffset", "TimeSpan", "DateOnly", "TimeOnly", "System.Text.Rune", "DayOfWeek",
        "System.Numerics.Vector3", "Pair",
    ];

    private const string Common = """
        public struct Pair { public int A; public float B; }
        [QueueMessage] public partial class Leaf { public string? Name { get; set; } public int[]? Numbers { get; set; } }
        [QueueMessage] public partial record Row(long Id, string? Text) { public List<byte>? Bytes { get; init; } }
        [QueueMessage] public partial struct Dot { public short X; public string? Label; }

        public static class Probe
        {
            public static void Run(Func<Type, object?> make)
            {
                Message? used = null;
                for (var i = 0; i < 20; i++)
                {
                    var message = (Message)make(typeof(Message))!;
                    var bytes = Packer.Pack(in message);
                    Xunit.Assert.Equal(bytes, Packer.Pack(Packer.Unpack<Message>(bytes)));
                    Xunit.Assert.Equal(bytes.Length, Packer.Unpack(bytes, ref used));
                    Xunit.Assert.Equal(bytes, Packer.Pack(in used));
                }
            }
        }
        """;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void A_random_message_comes_back(int seed)
    {
        var random = new Random(seed);
        var source = new StringBuilder(
            seed % 2 == 0 ? "[QueueMessage] public partial class Message {\n" : "[QueueMessage] public sealed partial record Message {\n");
        for (int i = 0; i < MemberCount; i++)
        {
            source.Append($"    public {Any(random, 0)} M{i} {{ get; {(random.Next(9) == 0 && seed > 2 ? "init" : "set")}; }}\n");
        }

        var filler = new RandomValues(random);
        LoadedAssembly.Of(source.Append("}\n").ToString(), Common).Call<object>("Run", (Func<Type, object?>)filler.MakeRoot);
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
        string element = Any(random, nesting + 1);
        return element.EndsWith("[]?", StringComparison.Ordinal) ? $"List<{element}>" : element;
    }
}
