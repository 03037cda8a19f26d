namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0015_UnusablePacker
{
    [Fact]
    public async Task Points_at_the_members_type()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0015", """
            public class Explicit : IPacker<Version>
            {
                static void IPacker<Version>.Pack(ref PackWriter writer, scoped in Version? value) { }
                static void IPacker<Version>.Unpack(ref PackReader reader, scoped ref Version? value) { }
            }

            [QueueMessage]
            public partial class Order
            {
                [PackWith(typeof(string))] public [|Version?|] First { get; set; }
                [PackWith(typeof(Explicit))] public [|Version?|] Second { get; set; }
                [PackWith(typeof(Explicit))] public [|Uri?|] Third { get; set; }
                [PackWith(typeof(Explicit))] public [|List<Version>?|] Fourth { get; set; }
                [PackWith(typeof(Explicit))] public [|Dictionary<int, Uri>?|] Fifth { get; set; }
                [PackWith(typeof(Version), typeof(Explicit))] public [|Version?|] Sixth { get; set; }
                [PackWith(typeof(InternedString)), PackWith(typeof(BrotliString))] public [|string?|] Seventh { get; set; }
            }
            """);
        Assert.Equal("'First' cannot be packed: string does not implement IPacker<Version>", messages[0]);
        Assert.Equal("'Second' cannot be packed: Explicit does not implement Pack and Unpack publicly", messages[1]);
        Assert.Equal("'Fifth' cannot be packed: Explicit does not implement IPacker<Dictionary<int, Uri>>", messages[4]);
        Assert.Equal("'Sixth' cannot be packed: [PackWith] names a type here, which is for an assembly; name the packer alone",
            messages[5]);
        Assert.Equal("'Seventh' cannot be packed: [PackWith] stands there more than once", messages[6]);
    }

    [Fact]
    public async Task Points_at_what_the_assembly_says()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0015", """
            [assembly: [|PackWith(typeof(Version), typeof(string))|]]
            [assembly: [|PackWith(typeof(Good))|]]
            [assembly: [|PackWith(typeof(Random), typeof(Hidden))|], [|PackWith(typeof(Lazy<>), typeof(Good))|]]
            [assembly: [|PackWith(typeof(int), typeof(IntPacker))|], [|PackWith(typeof(string[]), typeof(IntPacker))|]]
            [assembly: [|PackWith(typeof(Order), typeof(Good))|]]
            [assembly: PackWith(typeof(Exception), typeof(Good))]
            [assembly: [|PackWith(typeof(Exception), typeof(Good))|]]
            [assembly: [|PackWith(typeof(Type), typeof(Inside))|]]

            public class Hidden : IPacker<Random>
            {
                static void IPacker<Random>.Pack(ref PackWriter writer, scoped in Random? value) { }
                static void IPacker<Random>.Unpack(ref PackReader reader, scoped ref Random? value) { }
            }

            public class IntPacker : IPacker<int>
            {
                public static void Pack(ref PackWriter writer, scoped in int value) { }
                public static void Unpack(ref PackReader reader, scoped ref int value) { }
            }

            public class Good : IPacker<Exception>
            {
                public static void Pack(ref PackWriter writer, scoped in Exception? value) { }
                public static void Unpack(ref PackReader reader, scoped ref Exception? value) { }
            }

            file class Inside : IPacker<Type>
            {
                public static void Pack(ref PackWriter writer, scoped in Type? value) { }
                public static void Unpack(ref PackReader reader, scoped ref Type? value) { }
            }

            [QueueMessage] public partial class Order { public Exception? Fault { get; set; } }
            """);
        Assert.Equal("'Version' cannot be packed: string does not implement IPacker<Version>", messages[0]);
        Assert.Contains("'Good' cannot be packed: [assembly: PackWith] names a type and its packer", messages[1]);
        Assert.Equal("'Random' cannot be packed: Hidden does not implement Pack and Unpack publicly", messages[2]);
        Assert.Equal("'Lazy<T>' cannot be packed: Good does not implement IPacker<Lazy<T>>", messages[3]);
        Assert.Equal("'int' cannot be packed: it is packed as what it is; name another packer for it at the member, with [PackWith]",
            messages[4]);
        Assert.Contains("it is a message", messages[6]);
        Assert.Equal("'Exception' cannot be packed: a packer is named for it already", messages[7]);
        Assert.Contains("'Type' cannot be packed: Inside cannot be named by all messages", messages[8]);
    }

    [Fact]
    public async Task Asks_for_the_type_arguments_of_a_packer_that_is_named_without_them()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0015", """
            [assembly: [|PackWith(typeof(Version), typeof(Outer<>.Inner))|]]
            [assembly: [|PackWith(typeof(Span<,>), typeof(RangePacker<>))|]]

            public class Outer<T>
            {
                public class Inner : IPacker<Version>
                {
                    public static void Pack(ref PackWriter writer, scoped in Version? value) { }
                    public static void Unpack(ref PackReader reader, scoped ref Version? value) { }
                }
            }

            public class Range<T>;
            public class Span<A, B>;

            public class RangePacker<T> : IPacker<Range<T>>
            {
                public static void Pack(ref PackWriter writer, scoped in Range<T>? value) { }
                public static void Unpack(ref PackReader reader, scoped ref Range<T>? value) { }
            }

            [QueueMessage]
            public partial class Order
            {
                [PackWith(typeof(Outer<>.Inner))] public [|Version?|] First { get; set; }
                [PackWith(typeof(RangePacker<>))] public [|Range<int>?|] Second { get; set; }
                [PackWith(typeof(Outer<int>.Inner))] public Version? Third { get; set; }
                [PackWith(typeof(RangePacker<int>))] public Range<int>? Fourth { get; set; }
            }
            """);
        Assert.Equal(
            "'Version' cannot be packed: nothing stands for the type parameters of Outer<>.Inner; write type arguments", messages[0]);
        Assert.Equal(
            "'Span<A, B>' cannot be packed: RangePacker<> has not as many type parameters as Span<A, B>", messages[1]);
        Assert.Equal(
            "'First' cannot be packed: nothing stands for the type parameters of Outer<>.Inner; write type arguments", messages[2]);
        Assert.Equal(
            "'Second' cannot be packed: nothing stands for the type parameters of RangePacker<>; write type arguments", messages[3]);
    }

    [Fact]
    public async Task Points_at_a_packer_whose_constraints_the_members_type_breaks()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0015", """
            [assembly: PackWith(typeof(Range<>), typeof(RangePacker<>))]

            public class Range<T>;

            public class RangePacker<T> : IPacker<Range<T>> where T : unmanaged
            {
                public static void Pack(ref PackWriter writer, scoped in Range<T>? value) { }
                public static void Unpack(ref PackReader reader, scoped ref Range<T>? value) { }
            }

            [QueueMessage]
            public partial class Order
            {
                public Range<int>? Ints { get; set; }
                public [|Range<string>?|] Texts { get; set; }
                public [|List<Range<string>>?|] Lists { get; set; }
            }
            """);
        Assert.Equal(
            "'Texts' cannot be packed: string cannot stand for a type parameter of RangePacker<T>: a constraint forbids it", messages[0]);
    }
}
