namespace BlitQueue.Generator.Tests.Execute;

public class ReadyPackerTests
{
    private const string Source = """
        [QueueMessage]
        public partial class Page
        {
            [PackWith(typeof(BitPackedBools))] public bool[]? Flags { get; set; }
            [PackWith(typeof(InternedString))] public string Author { get; set; } = "";
            [PackWith(typeof(InternedString))] public List<string?>? Tags { get; set; }
            [PackWith(typeof(BrotliString))] public string? Text { get; set; }
            [PackWith(typeof(BrotliBytes))] public Dictionary<int, byte[]>? Images { get; set; }
        }

        [QueueMessage]
        public partial class Simple
        {
            public System.Collections.BitArray? Flags { get; set; }
            public string Author { get; set; } = "";
            public string?[]? Tags { get; set; }
        }

        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial record Tolerant([property: PackOrder(3), PackWith(typeof(InternedString))] string Author,
            [property: PackOrder(1), PackWith(typeof(BitPackedBools))] bool[]? Flags);

        public static class Probe
        {
            static Page Make()
                => new() { Flags = [true, false, true], Author = "ann", Tags = ["x", null, "ann"], Text = new('t', 5000),
                Images = new() { [1] = [1, 2], [2] = [] } };

            public static byte[] Pack() => Packer.Pack(Make());

            public static bool TryUnpack(byte[] bytes)
            {
                Page? page = Make();
                try { Packer.Unpack(bytes, ref page); return true; }
                catch (PackException) { return false; }
            }

            public static void Run()
            {
                Page? page = null;
                for (var round = 0; round < 2; round++)
                {
                    var (flags, text, image) = (page?.Flags, page?.Text, page?.Images![1]);
                    Packer.Unpack(Pack(), ref page);
                    Xunit.Assert.Equal([true, false, true], page!.Flags!);
                    Xunit.Assert.Equal(["x", null, "ann"], page.Tags!);
                    Xunit.Assert.Same(page.Author, page.Tags![2]);
                    Xunit.Assert.Equal(5000, page.Text!.Length);
                    Xunit.Assert.Equal([1, 2], page.Images![1]);
                    Xunit.Assert.Empty(page.Images[2]);
                    if (round > 0)
                        Xunit.Assert.True(ReferenceEquals(flags, page.Flags) && ReferenceEquals(text, page.Text)
                            && ReferenceEquals(image, page.Images[1]));
                }

                Packer.Unpack(Packer.Pack(new Page()), ref page);
                Xunit.Assert.True(page is { Flags: null, Author: "", Tags: null, Text: null, Images: null });

                Xunit.Assert.Equal("#0{Flags:bits,Author:string,Tags:list<string>,Text:brotli<string>,Images:map<i32,brotli<list<u8>>>}",
                    Page.Schema.Text);
                Xunit.Assert.True(Page.Schema.RunsUserCode);
                Xunit.Assert.False(Tolerant.Schema.RunsUserCode);
                var simple = new Simple { Flags = new([true, false]), Author = "b", Tags = ["c"] };
                Packer.Unpack(Packer.Pack(in simple), ref page);
                Xunit.Assert.Equal([true, false], page.Flags!);
                Xunit.Assert.Equal("b", page.Author);

                Xunit.Assert.Equal("ann", Page.View.From(Pack()).Author.ToString());
                Xunit.Assert.Equal("x", Page.View.From(Pack()).Tags[0].ToString());
                Xunit.Assert.Equal(5, Page.View.From(Pack()).Flags.Bytes.Length);

                var tolerant = Packer.Unpack<Tolerant>(Packer.Pack(new Tolerant("a", null)))!;
                Xunit.Assert.Equal(("a", null), (tolerant.Author, tolerant.Flags));
            }
        }
        """;

    [Fact]
    public void Members_and_what_they_contain_come_back() => LoadedAssembly.Run(Source);

    [Fact]
    public void Bad_bytes_do_no_worse_than_an_exception_of_ours()
    {
        var loaded = LoadedAssembly.Of(Source);
        byte[] bytes = loaded.Call<byte[]>("Pack");
        Assert.True(loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.False(loaded.Call<bool>("TryUnpack", bytes[..length]));
        }

        var random = new Random(17);
        for (int i = 0; i < 5000; i++)
        {
            byte[] hostile = (byte[])bytes.Clone();
            for (int changes = random.Next(1, 4); changes > 0; changes--)
            {
                hostile[random.Next(bytes.Length)] = (byte)(random.Next(3) == 0 ? 0xFF : random.Next(256));
            }

            loaded.Call<bool>("TryUnpack", hostile);
        }
    }

    [Fact]
    public void A_members_strings_may_have_another_form_than_the_messages() => LoadedAssembly.Run("""
        [QueueMessage]
        public partial class Narrow
        {
            public string? Name { get; set; }
            [PackWith(typeof(Utf16String))] public List<string?>? Wide { get; set; }
        }

        [QueueMessage(Strings = StringEncoding.Utf16)]
        public partial class Wide
        {
            [PackWith(typeof(Utf8String))] public string? Name { get; set; }
            [PackWith(typeof(InternedString))] public List<string?>? Wide_ { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                const string Lone = "a\ud800";
                var narrow = Packer.Unpack<Narrow>(Packer.Pack(new Narrow { Name = Lone, Wide = [Lone, null, ""] }))!;
                Xunit.Assert.Equal("a\ufffd", narrow.Name);
                Xunit.Assert.Equal([Lone, null, ""], narrow.Wide!);
                Xunit.Assert.Equal("#0{Name:string,Wide:list<string>}", Narrow.Schema.Text);

                // Each string says what it is: the attribute may come and go.
                Xunit.Assert.Equal("x", Packer.Unpack<Narrow>(Packer.Pack(new Wide { Name = "x" }))!.Name);
                Xunit.Assert.Equal("x", Packer.Unpack<Wide>(Packer.Pack(new Narrow { Name = "n", Wide = ["x"] }))!.Wide_![0]);
                Narrow? given = new() { Name = "n", Wide = ["x"] };
                var kept = given.Wide[0];
                Packer.Unpack(Packer.Pack(new Narrow { Wide = ["x"] }), ref given);
                Xunit.Assert.Same(kept, given!.Wide![0]);
            }
        }
        """);
}
