using System.Text;
using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class StringTests
{
    [Theory]
    [InlineData(null, "FFFFFFFF")]
    [InlineData("", "00000000")]
    [InlineData("abc", "07000000 03000000 616263")]
    [InlineData("Zoë", "08000000 03000000 5A6FC3AB")]
    [InlineData("日", "07000000 01000000 E697A5")]
    [InlineData("🚀", "08000000 02000000 F09F9A80")]
    public void Utf8_has_its_bytes_for_ever(string? text, string hex)
    {
        Assert.Equal(hex.Replace(" ", ""), Hand.Hex((ref PackWriter w) => w.WriteString(text)));
        Assert.Equal(text, Hand.Unpack(Bytes(hex), (ref PackReader r) => r.ReadString()));
    }

    [Theory]
    [InlineData(null, "FFFFFFFF")]
    [InlineData("", "00000000")]
    [InlineData("ab", "08000000 02000080 61006200")]
    [InlineData("🚀", "08000000 02000080 3DD880DE")]
    public void Utf16_has_its_bytes_for_ever(string? text, string hex)
    {
        Assert.Equal(hex.Replace(" ", ""), Hand.Hex((ref PackWriter w) => w.WriteString(text, StringEncoding.Utf16)));
        Assert.Equal(text, Hand.Unpack(Bytes(hex), (ref PackReader r) => r.ReadString()));
    }

    // Facts, not theories: a lone surrogate does not survive in an attribute.
    [Fact]
    public void A_lone_surrogate_under_utf8_becomes_the_replacement_character()
    {
        Becomes("a\uD800b", "a\uFFFDb");
        Becomes("\uDC00", "\uFFFD");
        Becomes("\uD83D", "\uFFFD");
        Becomes("\uDE80\uD83D", "\uFFFD\uFFFD");

        static void Becomes(string text, string expected)
            => Assert.Equal(
                expected, Hand.Unpack(Hand.Pack((ref PackWriter w) => w.WriteString(text)), (ref PackReader r) => r.ReadString()));
    }

    [Fact]
    public void A_lone_surrogate_under_utf16_survives()
    {
        byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteString("a\uD800b", StringEncoding.Utf16));
        Assert.Equal("0A00000003000080610000D86200", Convert.ToHexString(bytes));
        Assert.Equal("a\uD800b", Hand.Unpack(bytes, (ref PackReader r) => r.ReadString()));
    }

    [Fact]
    public void Every_length_comes_back_in_every_alphabet()
    {
        foreach (string? letter in new[] { "a", "ë", "日", "🚀", "a日", "\u007F", "\u0080" })
        {
            for (int length = 0; length < 300; length += 1 + (length / 40))
            {
                string text = string.Concat(Enumerable.Repeat(letter, length));
                foreach (StringEncoding encoding in Enum.GetValues<StringEncoding>())
                {
                    byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteString(text, encoding));
                    Assert.Equal(text, Hand.Unpack(bytes, (ref PackReader r) => r.ReadString()));
                    Assert.Same(text, Hand.Unpack(bytes, (ref PackReader r) => r.ReadString(text)));
                    string other = text + "x";
                    Assert.Equal(text, Hand.Unpack(bytes, (ref PackReader r) => r.ReadString(other)));
                }
            }
        }
    }

    [Fact]
    public void A_string_that_differs_in_one_char_is_replaced()
    {
        for (int length = 1; length < 200; length++)
        {
            string text = new string('a', length);
            byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteString(text));
            for (int at = 0; at < length; at++)
            {
                string other = text.Remove(at, 1).Insert(at, at % 2 == 0 ? "b" : "\u0161");
                Assert.Equal(text, Hand.Unpack(bytes, (ref PackReader r) => r.ReadString(other)));
            }
        }
    }

    [Fact]
    public void A_string_that_differs_in_one_char_beyond_ascii_is_replaced()
    {
        // The ends of what takes one, two and three bytes, and beside the surrogates. Among short texts, and among longer ones.
        string[] letters = ["a", "\u007F", "\u0080", "\u07FF", "\u0800", "\uD7FF", "\uE000", "\uFFFF", "日", "🚀"];
        foreach (string around in new[] { "日", "日本語のとても長い文章です。日本語のとても長い文章です。日本語の", new string('a', 60) + "ë" })
        {
            foreach (string letter in letters)
            {
                string text = around + letter + around;
                byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteString(text));
                Assert.Same(text, Hand.Unpack(bytes, (ref PackReader r) => r.ReadString(text)));
                foreach (string other in letters.Where(other => other != letter).Select(other => around + other + around).Append(around))
                {
                    Assert.Equal(text, Hand.Unpack(bytes, (ref PackReader r) => r.ReadString(other)));
                }
            }
        }
    }

    [Fact]
    public void The_bytes_are_those_of_the_framework_with_any_char_anywhere()
    {
        string[] letters =
        [
            "a", "\u007F", "\u0080", "\u0100", "\u07FF", "\u0800", "\u8061", "\uD7FF", "\uE000", "\uFF80", "\uFFFF", "🚀", "\uD800",
        ];
        foreach (char around in "a日")
        {
            for (int length = 0; length < 24; length++)
            {
                for (int at = 0; at <= length; at++)
                {
                    foreach (string letter in letters)
                    {
                        string text = new string(around, length).Insert(at, letter);
                        byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteString(text));
                        Assert.Equal(Encoding.UTF8.GetBytes(text), bytes[8..]);
                    }
                }
            }
        }
    }

    [Fact]
    public void A_wrong_byte_in_a_text_of_three_byte_chars_is_refused_or_another_char()
    {
        var strict = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
        foreach (int length in new[] { 1, 3, 4, 5, 7, 8, 9 })
        {
            string text = "日本語のとても長い"[..length];
            byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteString(text));
            for (int at = 8; at < bytes.Length; at++)
            {
                for (int value = 0; value < 256; value++)
                {
                    byte[] other = [.. bytes];
                    other[at] = (byte)value;
                    string? expected = Decoded(other, length);
                    Assert.Equal(expected, Read(other, null));
                    Assert.Equal(expected, Read(other, text));
                    Assert.Equal(expected, Read(other, expected));
                }
            }
        }

        string? Decoded(byte[] bytes, int length)
        {
            try
            {
                string text = strict.GetString(bytes.AsSpan(8));
                return text.Length == length ? text : null;
            }
            catch (DecoderFallbackException)
            {
                return null;
            }
        }

        static string? Read(byte[] bytes, string? reuse)
        {
            try
            {
                return Hand.Unpack(bytes, (ref PackReader r) => r.ReadString(reuse));
            }
            catch (PackException)
            {
                return null;
            }
        }
    }

    [Fact]
    public void Bytes_beyond_ascii_are_refused_even_where_the_old_string_has_the_same_char()
    {
        // Byte E4 widened is the char U+00E4: equal as numbers, but the byte is no ASCII.
        for (int length = 1; length < 150; length++)
        {
            for (int at = 0; at < length; at++)
            {
                string text = new string('a', length).Remove(at, 1).Insert(at, "ä");
                byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteString(new string('a', length)));
                bytes[8 + at] = 0xE4;
                Assert.Throws<PackException>(() => Hand.Unpack(bytes, (ref PackReader r) => r.ReadString(text)));
            }
        }
    }

    [Fact]
    public void A_string_with_a_lone_surrogate_is_not_taken_for_one_with_the_replacement_character()
    {
        byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteString("a\uFFFDb"));
        Assert.Equal("a\uFFFDb", Hand.Unpack(bytes, (ref PackReader r) => r.ReadString("a\uD800b")));
    }

    [Theory]
    [InlineData("07000000 06000000 616263")]            // more chars than bytes
    [InlineData("07000000 02000000 616263")]            // fewer chars than the bytes decode to
    [InlineData("07000000 02000000 E697A5")]            // more chars than the bytes decode to
    [InlineData("0B000000 02000000 61616161616161")]    // more than three bytes per char
    [InlineData("08000000 03000000 61626364")]
    [InlineData("07000000 00000000 616263")]            // no char but bytes
    [InlineData("07000000 03000000 6162E4")]            // not ASCII though as many bytes as chars
    [InlineData("08000000 03000000 6162E4E4")]          // no UTF-8
    [InlineData("06000000 01000000 C080")]              // overlong
    [InlineData("07000000 01000000 EDA080")]            // a surrogate in UTF-8
    [InlineData("08000000 01000000 F09F9A80")]          // two chars, one promised
    [InlineData("07000000 02000080 616200")]            // half a char
    [InlineData("08000000 01000080 61006200")]          // UTF-16 with a wrong length
    [InlineData("08000000 FFFFFFFF 61006200")]
    [InlineData("03000000 010000")]                     // no room for the length
    [InlineData("00000080")]                            // int.MinValue
    [InlineData("00000080 03000000 616263")]
    [InlineData("FEFFFFFF 03000000 616263")]
    [InlineData("08000000 04000000 616263")]            // one byte missing
    [InlineData("0700")]
    public void Lengths_that_lie_and_bytes_that_are_no_text_are_refused(string hex)
    {
        Hand.Refused(hex, (ref PackReader r) => r.ReadString());
        Hand.Refused(hex, (ref PackReader r) => r.ReadString("abc"));
    }

    [Fact]
    public void A_huge_length_is_refused_before_anything_is_allocated()
    {
        Quiet(Bytes("FEFFFF7F FAFFFF7F 616263"));
        Quiet(Bytes("07000000 FFFFFF00 616263"));
        Quiet(Bytes("07000000 FFFFFF80 616263"));

        static void Quiet(byte[] bytes)
        {
            Action bomb = () => new PackReader(bytes).ReadString();
            Assert.Throws<PackException>(bomb);
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Throws<PackException>(bomb);
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 20_000);
        }
    }

    [Fact]
    public void Sequences_of_strings_have_their_bytes_for_ever()
    {
        string?[] texts = ["ab", null, ""];
        byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteStrings(texts));
        Assert.Equal("16000000" + "03000000" + "060000000200000061" + "62" + "FFFFFFFF" + "00000000", Convert.ToHexString(bytes));
        Assert.Equal(texts, Hand.Unpack(bytes, (ref PackReader r) => r.ReadStringArray()));
        Assert.Equal(texts, Hand.Unpack(bytes, (ref PackReader r) => r.ReadStringList()));
    }

    private static byte[] Bytes(string hex) => Convert.FromHexString(hex.Replace(" ", ""));
}
