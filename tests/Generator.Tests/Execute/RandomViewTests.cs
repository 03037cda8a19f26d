using System.Text;

namespace BlitQueue.Generator.Tests.Execute;

/// <summary>A view of any legal message, of whatever layout, gives member by member what was packed.</summary>
public class RandomViewTests
{
    private const int MemberCount = 40;

    private const string Common = """
        public struct Pair { public int A; public float B; }
        [QueueMessage] public partial class Leaf { public string? Name { get; set; } public int[]? Numbers { get; set; } }
        [QueueMessage] public partial record Row(long Id, string? Text) { public List<byte>? Bytes { get; init; } }
        [QueueMessage] public partial struct Dot { public short X; public string? Label; }
        [QueueMessage, PackUnion(1, typeof(Circle)), PackUnion(300, typeof(Square))] public abstract partial class Shape;
        [QueueMessage] public partial class Circle : Shape { public double Radius { get; set; } }
        [QueueMessage] public sealed partial class Square : Shape { public string? Side { get; set; } }
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial class Late { [PackOrder(1)] public decimal Price { get; set; } [PackOrder(4)] public string? Text { get; set; } }
        [QueueMessage(Layout = PackLayout.CircularReference)]
        public partial class Node { public int Value { get; set; } public Node? Next { get; set; } public List<Node?>? Many { get; set; } }

        public static partial class Probe
        {
            public static void Run(Func<Type, object?> make)
            {
                for (var i = 0; i < 20; i++)
                {
                    var message = (Message)make(typeof(Message))!;
                    var bytes = Packer.Pack(in message);
                    Compare(new Message.View(bytes), message);
                    Xunit.Assert.Equal(bytes, Packer.Pack(new Message.View(bytes).ToObject()));
                }
            }

            // NaN is equal to itself here, in vectors too.
            private static void Same<V>(V expected, V actual) => Xunit.Assert.Equal($"{expected}|", $"{actual}|");

            private static void Same<V>(IEnumerable<V>? expected, V[]? actual)
                => Xunit.Assert.Equal(expected is null ? "null" : string.Join('|', expected), actual is null ? "null"
                    : string.Join('|', actual));
        }
        """;

    [Theory]
    [InlineData(1, "")]
    [InlineData(2, "")]
    [InlineData(3, "")]
    [InlineData(4, "")]
    [InlineData(5, "VersionTolerant")]
    [InlineData(6, "VersionTolerant")]
    [InlineData(7, "CircularReference")]
    public void A_random_view_gives_what_was_packed(int seed, string layout)
    {
        var random = new Random(seed);
        var kinds = new RandomKinds(random);
        var message = new StringBuilder(
            $"[QueueMessage{(layout.Length == 0 ? "" : $"(Layout = PackLayout.{layout})")}] public partial class Message {{\n");
        var compare = new StringBuilder(
            "public static partial class Probe { private static void Compare(Message.View view, Message message) {\n");
        for (int i = 0; i < MemberCount; i++)
        {
            RandomKinds.Kind kind = kinds.Any(0);
            string order = layout == "VersionTolerant" ? $"[PackOrder({i * 3 / 2})] " : "";
            message.Append($"    {order}public {kind.Type} M{i} {{ get; set; }}\n");
            compare.Append(kind.Compare($"view.M{i}", $"message.M{i}", $"_{i}"));
        }

        var filler = new RandomValues(random);
        LoadedAssembly.Of(message.Append("}\n").ToString(), compare.Append("} }\n").ToString(), Common)
            .Call<object>("Run", (Func<Type, object?>)filler.MakeRoot);
    }
}
