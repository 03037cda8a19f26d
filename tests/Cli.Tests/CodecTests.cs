using BlitQueue.Cli.Lines;
using BlitQueue.Cli.Schemas;
using BlitQueue.Cli.Wire;
using BlitQueue.Mutations;
using BlitQueue.Shapes;

namespace BlitQueue.Tool;

/// <summary>Random messages of every shape that the generator's tests know: to JSON and back.</summary>
public sealed class CodecTests
{
    private const int OfEach = 60;

    [Fact]
    public void A_schema_that_was_parsed_is_the_one_that_it_was()
    {
        foreach (Type type in AnyShape.Types)
        {
            string text = AnyShape.SchemaOf(type).Text;
            Assert.Equal(text, StoredSchema.Parse(text).Describe().Text);
        }
    }

    [Fact]
    public void A_line_gives_the_bytes_from_which_it_was_made()
    {
        int seed = Random.Shared.Next();
        var values = new RandomValues(seed);
        foreach (Type type in AnyShape.Types)
        {
            var lines = new MessageLines(StoredSchema.Parse(AnyShape.SchemaOf(type).Text), isExact: true);
            for (int i = 0; i < OfEach; i++)
            {
                byte[] packed = AnyShape.Pack(type, values.MakeRoot(type));
                byte[] block = i % 2 == 0 ? [] : Block();
                var message = new StoredMessage();
                message.Fill(64, 128, packed, block);
                var json = new JsonOutput();
                Assert.Null(lines.Write(message, json));
                lines.Read(json.Bytes, out ReadOnlySpan<byte> read, out byte[] properties);
                Assert.True(read.SequenceEqual(packed), $"seed {seed}, {type.Name}: {json}");
                Assert.Equal(block, properties);
            }
        }
    }

    /// <summary>The JSON alone is enough for nearly all: bytes are the exception, not the rule.</summary>
    [Fact]
    public void Most_lines_need_no_bytes()
    {
        var values = new RandomValues(1);
        List<string> exceptions = [];
        foreach (Type type in AnyShape.Types)
        {
            var lines = new MessageLines(StoredSchema.Parse(AnyShape.SchemaOf(type).Text), isExact: true);
            int with = 0;
            for (int i = 0; i < OfEach; i++)
            {
                var json = new JsonOutput();
                json.BeginObject();
                Assert.Null(lines.WriteMessage(AnyShape.Pack(type, values.MakeRoot(type)), json));
                with += json.ToString().Contains("\"packed\":", StringComparison.Ordinal) ? 1 : 0;
            }

            if (with > 0)
            {
                exceptions.Add($"{type.Name} {with}");
            }
        }

        Assert.True(exceptions.Count < 12, string.Join(", ", exceptions));
    }

    [Fact]
    public void Bytes_that_are_no_message_are_refused_or_read_as_the_library_does()
    {
        int seed = Random.Shared.Next();
        var random = new Random(seed);
        var lines = new MessageLines(StoredSchema.Parse(Order.Schema.Text), isExact: true);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] packed = Packer.Pack(Order.Make(i % 7));
            packed[random.Next(packed.Length)] = (byte)random.Next(256);
            var json = new JsonOutput();
            json.BeginObject();
            bool isRead = lines.WriteMessage(packed, json) is null;
            Assert.True(isRead == IsOrder(packed), $"seed {seed}: {Convert.ToHexString(packed)} {json}");
        }
    }

    [Fact]
    public void What_is_wrong_with_JSON_is_said()
    {
        var lines = new MessageLines(StoredSchema.Parse(Order.Schema.Text), isExact: true);
        string Fault(string json) => Assert.Throws<JsonFaultException>(
            () => _ = lines.Encode(new JsonInput(System.Text.Encoding.UTF8.GetBytes(json))).Length).Message;

        Assert.Equal("the message has no member 'id'", Fault("""{"id":1}"""));
        Assert.Equal("Id: 1.5 is no Int64", Fault("""{"Id":1.5}"""));
        Assert.Equal("Lines: Count: a whole number is expected, and here is a text", Fault("""{"Customer":"a","Lines":[{"Count":"1"}]}"""));
        Assert.StartsWith("At: 'today' is no time: 2026-01-31T12:00:00.0000000, ", Fault("""{"At":"today"}"""), StringComparison.Ordinal);
        Assert.StartsWith("it is no JSON: ", Fault("""{"Id":"""), StringComparison.Ordinal);
    }

    private static bool IsOrder(byte[] packed)
    {
        try
        {
            Order? order = null;
            Packer.Unpack(packed, ref order);
            return order is not null;
        }
        catch (PackException)
        {
            return false;
        }
    }

    private static byte[] Block()
    {
        var json = new JsonInput("""{"enqueued_at":"2026-01-31T12:00:00.0000001Z","label":"","headers":{"a":"\u00fc","b":""}}"""u8);
        return PropertyLines.Read(ref json);
    }
}
