using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace BlitQueue.Generator.Tests.Completeness;

/// <summary>
/// Every offset, length and count in generated code matters: with any of them one off, the message is packed otherwise or read wrongly, or
/// this test
/// says so.
/// </summary>
public class OffsetMutationTests
{
    private static readonly string[] OrderFixed =
        ["long Id = 0x0102030405060708", "int Count = 0x11121314", "bool IsPaid = true", "DateTime At = new(0x21222324252627)",
            "double? Rate = 1.25", "byte New = 7"];

    private static readonly string[] OrderVariable = ["string? Customer = \"Ada\"", "int[]? Codes = [7, 8, 9]", "string? Note = \"new\""];

    private static readonly string[] DotFixed =
        ["int X = 0x01020304", "short Y = 0x1112", "long Z = 0x2122232425262728", "byte W = 0x31", "short New = 7"];

    private const string Probe = """
        public static partial class Probe
        {
            // Of each version that there was or will be: its bytes as they are behind another in a list, and what is read of it.
            public static string[] Pack() => [.. Versions().Select(version => Convert.ToHexString(version.Bytes))];

            /// <param name="wire">What the code packed that nobody has changed.</param>
            public static object Check(string[] wire)
            {
                Same(string.Join(' ', Pack()), string.Join(' ', wire));
                foreach (var (text, (_, check)) in wire.Zip(Versions()))
                    check(Convert.FromHexString(text));
                return "";
            }

            private static (byte[] Bytes, Action<byte[]> Check) Orders<T>(T version, Order expected) where T : class, IPackable<T>
                => (Packer.Pack(new Pair<T> { A = version, B = version }), bytes =>
                {
                    string text = Text(expected);
                    Pair<Order>? pair = null;
                    Packer.Unpack(bytes, ref pair);
                    Same(Text(pair!.A!), text);
                    Same(Text(pair.B!), text);
                    pair = new() { A = Used(), B = Used() };
                    Packer.Unpack(bytes, ref pair);
                    Same(Text(pair!.A!), text);
                    Same(Text(pair.B!), text);
                    var view = new Order.View(Packer.Pack(in version));
                    string codes = string.Join(',', view.Codes.ToArray() ?? []);
                    Same($"{view.Id} {view.Count} {view.IsPaid} {view.At.Ticks} {view.Rate} {view.Customer.ToString()} {codes}", text);
                });

            private static (byte[] Bytes, Action<byte[]> Check) Dots<T>(T version, Dot expected, bool isSame) where T : class, IPackable<T>
                => (Packer.Pack(in version), bytes =>
                {
                    string text = Text(expected);
                    Dot? fresh = null, used = new() { X = 99, Y = 99, Z = 99, W = 99 }, filled = new();
                    Packer.Unpack(bytes, ref fresh);
                    Packer.Unpack(bytes, ref used);
                    Same(Text(fresh!), text);
                    Same(Text(used!), text);
                    Same($"{TryUnpack(bytes, ref filled)} {(isSame ? Text(filled!) : "")}", $"{isSame} {(isSame ? text : "")}");
                    Same($"{TryUnpack(bytes[..^1], ref filled)} {TryUnpack([.. bytes, 0], ref filled)}", "False False");
                    if (isSame)
                        Same($"{Convert.ToHexString(Fixed(expected))} {Length(expected)} {Room(expected, bytes.Length - 1)}",
                            $"{Convert.ToHexString(bytes)} {bytes.Length} False");
                    Pair<Dot>? pair = null;
                    Packer.Unpack(Packer.Pack(new Pair<T> { A = version, B = version }), ref pair);
                    Same(Text(pair!.B!), text);
                    var view = new Dot.View(bytes);
                    Same($"{view.X} {view.Y} {view.Z} {view.W}", text);
                });

            private static Order Used()
                => new() { Id = 99, Count = 99, IsPaid = true, At = new(99), Rate = 99, Customer = "used", Codes = [99, 99] };

            private static int Length<T>(T message) where T : IPackable<T> => T.FixedLength;

            private static bool Room<T>(T message, int length) where T : IPackable<T> => T.TryPackFixed(new byte[length], in message);

            private static byte[] Fixed<T>(T message) where T : IPackable<T>
            {
                byte[] bytes = new byte[T.FixedLength];
                return T.TryPackFixed(bytes, in message) ? bytes : [];
            }

            private static bool TryUnpack<T>(byte[] bytes, ref T? message) where T : IPackable<T> => T.TryUnpackFixed(bytes, ref message);

            private static string Text(Order order)
                => $"{order.Id} {order.Count} {order.IsPaid} {order.At.Ticks} {order.Rate} {order.Customer} "
                    + string.Join(',', order.Codes ?? []);

            private static string Text(Dot dot) => $"{dot.X} {dot.Y} {dot.Z} {dot.W}";

            private static void Same(string actual, string expected)
            {
                if (actual != expected)
                    throw new InvalidOperationException($"{actual} is not {expected}");
            }
        }

        [QueueMessage]
        public sealed partial class Pair<T> where T : IPackable<T> { public T? A; public T? B; }
        """;

    private static readonly Compilation Output = Generated();

    private static readonly string[] Wire = LoadedAssembly.OfWhole(Output).Call<string[]>("Pack");

    [Fact]
    public void With_none_changed_all_is_read_as_it_was_packed() => LoadedAssembly.OfWhole(Output).Call<object>("Check", [Wire]);

    // The comparisons of "if (block.FixedLength == 15 && ...)" choose the fast way alone: without it the other one reads the same.
    [Theory]
    [InlineData("Order.g.cs", 30)]
    [InlineData("Dot.g.cs", 25)]
    public void With_any_of_them_one_off_the_message_is_packed_or_read_wrongly(string file, int atLeast)
    {
        SyntaxTree tree = Output.SyntaxTrees.Single(tree => Path.GetFileName(tree.FilePath) == file);
        List<LiteralExpressionSyntax> numbers = [.. Numbers(tree)];
        Assert.True(numbers.Count >= atLeast, $"Only {numbers.Count} numbers were found in {file}.");

        string missed = string.Join('\n', numbers.Where(number => !IsCaught(tree, number)).Select(number => Line(tree, number)));

        Assert.True(missed.Length == 0, "Nothing was found when these were one more:\n" + missed);
    }

    private static Compilation Generated()
    {
        var source = new StringBuilder(Probe);
        var versions = new List<string>();
        Add("Order", OrderFixed[..^1], OrderVariable[..^1], initialized: false);
        Add("Dot", DotFixed[..^1], [], initialized: false);
        foreach (int numbers in Enumerable.Range(1, OrderFixed.Length))
        {
            foreach (int variables in Enumerable.Range(0, OrderVariable.Length + 1).Where(variables => variables == 2 || numbers == 5))
            {
                string expected = Expected("Order", OrderFixed[..Math.Min(numbers, 5)], OrderVariable[..Math.Min(variables, 2)]);
                bool isOwn = (numbers, variables) == (5, 2);
                string version = isOwn ? expected
                    : Add($"Order{numbers}{variables}", OrderFixed[..numbers], OrderVariable[..variables], initialized: true);
                versions.Add($"Orders({version}, {expected})");
            }
        }
        foreach (int numbers in Enumerable.Range(1, DotFixed.Length))
        {
            foreach (int variables in Enumerable.Range(0, 2))
            {
                string expected = Expected("Dot", DotFixed[..Math.Min(numbers, 4)], []);
                bool isOwn = (numbers, variables) == (4, 0);
                string version = isOwn ? expected
                    : Add($"Dot{numbers}{variables}", DotFixed[..numbers], OrderVariable[..variables], initialized: true);
                versions.Add($"Dots({version}, {expected}, {(isOwn ? "true" : "false")})");
            }
        }
        source.AppendLine("public static partial class Probe { private static (byte[] Bytes, Action<byte[]> Check)[] Versions() => [")
            .AppendJoin(",\n", versions).AppendLine("]; }");
        return GeneratorRun.Of(Compile.Named("Mutant", "using System.Linq;\n" + source)).Output;

        string Add(string name, string[] numbers, string[] variables, bool initialized)
        {
            IEnumerable<string> members = numbers.Concat(variables)
                .Select(member => initialized ? member : member[..member.IndexOf(" =", StringComparison.Ordinal)]);
            source.AppendLine(
                $"[QueueMessage] public sealed partial class {name} {{ {string.Concat(members.Select(member => $"public {member}; "))}}}");
            return $"new {name}()";
        }
    }

    private static string Expected(string type, string[] numbers, string[] variables)
    {
        IEnumerable<string> values = numbers.Concat(variables)
            .Select(static member => member[(member.IndexOf(' ', StringComparison.Ordinal) + 1)..]);
        return $"new {type} {{ {string.Join(", ", values)} }}";
    }

    private static IEnumerable<LiteralExpressionSyntax> Numbers(SyntaxTree tree)
        => tree.GetRoot().DescendantNodes().OfType<LiteralExpressionSyntax>()
            .Where(literal => literal.IsKind(SyntaxKind.NumericLiteralExpression) && !ChoosesTheFastWay(literal));

    private static bool ChoosesTheFastWay(LiteralExpressionSyntax literal)
        => literal.Parent is BinaryExpressionSyntax
        {
            Parent: BinaryExpressionSyntax
            {
                RawKind: (int)SyntaxKind.LogicalAndExpression,
                Parent: IfStatementSyntax
            }
        };

    private static bool IsCaught(SyntaxTree tree, LiteralExpressionSyntax number)
    {
        string suffix = number.Token.Text.EndsWith('u') ? "u" : "";
        string changed = tree.GetText().Replace(number.Span, Convert.ToInt64(number.Token.Value!, null) + 1 + suffix).ToString();
        Compilation mutant = Output.ReplaceSyntaxTree(tree, Compile.Tree(changed, tree.FilePath))
            .WithAssemblyName("Mutant" + Guid.NewGuid().ToString("N"));
        try
        {
            LoadedAssembly.OfWhole(mutant).Call<object>("Check", [Wire]);
            return false;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }

    private static string Line(SyntaxTree tree, LiteralExpressionSyntax number)
    {
        FileLinePositionSpan span = number.GetLocation().GetLineSpan();
        TextLine line = tree.GetText().Lines[span.StartLinePosition.Line];
        return $"{Path.GetFileName(tree.FilePath)}({span.StartLinePosition.Line + 1},{span.StartLinePosition.Character + 1}): "
            + $"{line.ToString().Trim()}";
    }
}
