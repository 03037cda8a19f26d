using System.Text.Unicode;
using BlitQueue.Cli.Codecs;
using BlitQueue.Log;

namespace BlitQueue.Cli.Lines;

/// <summary>The properties of a message as a JSON object, with the names that the Python client gives them.</summary>
internal static class PropertyLines
{
    private static readonly (string Name, PropertyKinds Kind)[] Known =
    [
        ("enqueued_at", PropertyKinds.EnqueuedAt),
        ("expires_at", PropertyKinds.ExpiresAt),
        ("producer", PropertyKinds.EnqueuedBy),
        ("message_id", PropertyKinds.MessageId),
        ("correlation_id", PropertyKinds.CorrelationId),
        ("reply_to", PropertyKinds.ReplyTo),
        ("label", PropertyKinds.Label),
        ("headers", PropertyKinds.Headers),
        ("only_for", PropertyKinds.OnlyFor),
    ];

    /// <summary>Writes those that there are.</summary>
    /// <exception cref="PackedFaultException">The block is none, or a text in it is none.</exception>
    public static void Write(ReadOnlySpan<byte> bytes, JsonOutput json)
    {
        if (!PropertyBlock.TryRead(bytes, out PropertyBlock block))
        {
            throw new PackedFaultException(0, "what is in front of the message are no properties of one");
        }
        json.BeginObject();
        foreach ((string name, PropertyKinds kind) in Known)
        {
            if (block.TryGetTicks(kind & PropertyKinds.Fixed, out long ticks) && (kind & PropertyKinds.Fixed) != 0)
            {
                json.Member(name, Times.TextOf(new DateTime(ticks, DateTimeKind.Utc)));
            }
            else if ((kind & PropertyKinds.Variable) != 0 && block.TryGetBytes(kind, out ReadOnlySpan<byte> text))
            {
                json.Name(name);
                WriteText(kind, text, json);
            }
        }
        json.EndObject();
    }

    private static void WriteText(PropertyKinds kind, ReadOnlySpan<byte> text, JsonOutput json)
    {
        if (kind != PropertyKinds.Headers)
        {
            json.Text(TextOf(text));
            return;
        }
        json.BeginObject();
        while (!text.IsEmpty)
        {
            if (!PropertyBlock.TryTake(ref text, out ReadOnlySpan<byte> key)
                || !PropertyBlock.TryTake(ref text, out ReadOnlySpan<byte> value))
            {
                throw new PackedFaultException(0, "the headers are no pairs of texts");
            }
            json.Member(TextOf(key), TextOf(value));
        }
        json.EndObject();
    }

    private static string TextOf(ReadOnlySpan<byte> utf8) => Utf8.IsValid(utf8)
        ? Encoding.UTF8.GetString(utf8)
        : throw new PackedFaultException(0, "a property is no text");

    /// <summary>The block of properties that are here as a JSON object; empty if there is none.</summary>
    /// <exception cref="JsonFaultException">They are no properties, or too long.</exception>
    public static byte[] Read(ref JsonInput json)
    {
        byte[][] found = new byte[Known.Length][];
        PropertyKinds kinds = PropertyKinds.None;
        json.Require(JsonTokenType.StartObject, "an object with properties");
        while (json.TryNextMember(out string name))
        {
            int index = Array.FindIndex(Known, one => one.Name == name);
            found[index < 0 ? throw json.Fault($"there is no property '{name}'") : index] = ReadOne(Known[index].Kind, ref json);
            kinds |= Known[index].Kind;
        }
        return kinds == PropertyKinds.None ? [] : Join(kinds, found, json);
    }

    private static byte[] ReadOne(PropertyKinds kind, ref JsonInput json)
    {
        if (kind == PropertyKinds.Headers)
        {
            return ReadHeaders(ref json);
        }
        string text = json.Text();
        return (kind & PropertyKinds.Fixed) == 0 ? Encoding.UTF8.GetBytes(text)
            : Times.TryParse(text, out DateTime time) ? BitConverter.GetBytes(time.Ticks)
            : throw json.Fault($"'{text}' is no time in UTC: 2026-01-31T12:00:00.0000000Z is one");
    }

    private static byte[] ReadHeaders(ref JsonInput json)
    {
        using var pairs = new MemoryStream();
        json.Require(JsonTokenType.StartObject, "an object with headers");
        while (json.TryNextMember(out string name))
        {
            Add(name, pairs);
            Add(json.Text(), pairs);
        }
        return pairs.ToArray();
    }

    private static void Add(string text, MemoryStream pairs)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        pairs.Write(BitConverter.GetBytes(bytes.Length));
        pairs.Write(bytes);
    }

    // In the order of the bits.
    private static byte[] Join(PropertyKinds kinds, byte[]?[] found, in JsonInput json)
    {
        (PropertyKinds Kind, byte[] Bytes)[] there =
        [
            .. Known.Select((known, index) => (known.Kind, Bytes: found[index])).Where(static one => one.Bytes is not null)
                .OrderBy(static one => (uint)one.Kind).Select(static one => (one.Kind, one.Bytes!)),
        ];
        int size = PropertyWriter.PaddedSize(there.Sum(static one => SizeOf(one.Kind, one.Bytes)));
        if (size > PropertyBlock.Longest)
        {
            throw json.Fault($"the properties take {size} bytes; {PropertyBlock.Longest} are the most");
        }
        byte[] block = new byte[size];
        var writer = new PropertyWriter(block, kinds);
        foreach ((PropertyKinds kind, byte[] bytes) in there)
        {
            if ((kind & PropertyKinds.Fixed) != 0)
            {
                writer.Write(BitConverter.ToInt64(bytes));
            }
            else
            {
                writer.Write(bytes);
            }
        }
        writer.End();
        return block;
    }

    private static long SizeOf(PropertyKinds kind, byte[] bytes) => bytes.Length + ((kind & PropertyKinds.Fixed) != 0 ? 0 : sizeof(uint));
}
