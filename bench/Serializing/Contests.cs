using System.Buffers;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Serializing;

/// <summary>What is measured, and what is promised.</summary>
internal static class Contests
{
    private const int RoomSize = 1 << 20;

    public static IEnumerable<Contest> All() => [Vectors(), SmallClass(), PurchaseOf50(), Views(), LongText(), .. PeerContests.All()];

    private static Contest Vectors()
    {
        var cloud = Cloud.Create(10_000);
        byte[] packed = Packer.Pack(in cloud);
        var target = Cloud.Create(10_000);
        byte[] bytes = MemoryMarshal.AsBytes<Vector3>(cloud.Points).ToArray();
        byte[] copy = new byte[bytes.Length];
        var room = new ArrayBufferWriter<byte>(RoomSize);
        Work floor = new("Span.CopyTo", times =>
        {
            for (int i = 0; i < times; i++)
            {
                bytes.AsSpan().CopyTo(copy);
            }
        });
        Work pack = new("pack", times =>
        {
            for (int i = 0; i < times; i++)
            {
                room.ResetWrittenCount();
                Packer.Pack(room, in cloud);
            }
        });
        Work unpack = new("unpack into", times =>
        {
            for (int i = 0; i < times; i++)
            {
                Packer.Unpack(packed, ref target);
            }
        });
        return new("Vector3[10000]", [floor, pack, unpack], [new(pack, floor, 1.05), new(unpack, floor, 1.05)]);
    }

    private static Contest SmallClass()
    {
        var small = Small.Create();
        byte[] packed = Packer.Pack(in small);
        var target = Small.Create();
        var filled = Small.Create();
        byte[] array = new byte[256];
        var room = new ArrayBufferWriter<byte>(RoomSize);
        Work handPack = new("pack by hand", times =>
        {
            for (int i = 0; i < times; i++)
            {
                HandWritten.Pack(array, small);
            }
        });
        Work handUnpack = new("unpack into by hand", times =>
        {
            for (int i = 0; i < times; i++)
            {
                HandWritten.Unpack(packed, ref target);
            }
        });
        Work leastPack = new("floor: straight-line pack", times =>
        {
            for (int i = 0; i < times; i++)
            {
                StraightLine.Pack(array, small);
            }
        });
        Work leastUnpack = new("floor: straight-line unpack into", times =>
        {
            for (int i = 0; i < times; i++)
            {
                StraightLine.Unpack(packed, target!);
            }
        });
        Work pack = new("pack", times =>
        {
            for (int i = 0; i < times; i++)
            {
                room.ResetWrittenCount();
                Packer.Pack(room, in small);
            }
        });
        Work unpack = new("unpack into, equal text", times =>
        {
            for (int i = 0; i < times; i++)
            {
                Packer.Unpack(packed, ref filled);
            }
        });
        Work own = new("its own Unpack, equal text", times =>
        {
            for (int i = 0; i < times; i++)
            {
                var reader = new PackReader(packed);
                Small.Unpack(ref reader, ref filled);
            }
        });
        return new(
            "{int, long, double, text of 18}", [leastPack, leastUnpack, handPack, handUnpack, pack, unpack, own],
            [new(leastUnpack, leastPack, 0.6), new(own, handUnpack, 1.2), new(pack, handPack, 1.2), new(unpack, handUnpack, 1.2),
                new(unpack, pack, 0.6)]);
    }

    private static Contest PurchaseOf50()
    {
        var purchase = Purchase.Create(50);
        byte[] packed = Packer.Pack(in purchase);
        var filled = Purchase.Create(50);
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(purchase, PurchaseJson.Default.Purchase);
        var room = new ArrayBufferWriter<byte>(RoomSize);
        var jsonRoom = new ArrayBufferWriter<byte>(RoomSize);
        var jsonWriter = new Utf8JsonWriter(jsonRoom);
        Work jsonPack = new("System.Text.Json, write", times =>
        {
            for (int i = 0; i < times; i++)
            {
                jsonRoom.ResetWrittenCount();
                jsonWriter.Reset();
                JsonSerializer.Serialize(jsonWriter, purchase, PurchaseJson.Default.Purchase);
            }
        });
        Work jsonUnpack = new("System.Text.Json, read", times =>
        {
            for (int i = 0; i < times; i++)
            {
                JsonSerializer.Deserialize(json, PurchaseJson.Default.Purchase);
            }
        });
        Work pack = new("pack", times =>
        {
            for (int i = 0; i < times; i++)
            {
                room.ResetWrittenCount();
                Packer.Pack(room, in purchase);
            }
        });
        Work unpack = new("unpack", times =>
        {
            for (int i = 0; i < times; i++)
            {
                Packer.Unpack<Purchase>(packed);
            }
        });
        Work into = new("unpack into, equal texts", times =>
        {
            for (int i = 0; i < times; i++)
            {
                Packer.Unpack(packed, ref filled);
            }
        });
        return new(
            "order: 2 addresses of 8 texts, 50 lines of {int, text, 3 doubles}", [jsonPack, jsonUnpack, pack, unpack, into],
            [new(pack, jsonPack, 1.0 / 18), new(unpack, jsonUnpack, 1.0 / 8), new(into, jsonUnpack, 1.0 / 15)]);
    }

    private static Contest Views()
    {
        Work[] works = [.. new[] { 1, 50, 5000 }.Select(View)];
        return new("one decimal through a view, view and all", works, [.. works.Select(work => new Bar(work, null, 5))]);
    }

    private static Work View(int lines)
    {
        var invoice = new Invoice { Order = Order.Create(lines), Total = 1234.56m };
        byte[][] packed = [Packer.Pack(in invoice), Packer.Pack(in invoice)];   // two, or the loop would read only once
        return new($"behind {lines} lines", times =>
        {
            // Looked at as cheaply as a decimal can be: to compare two takes as long as the view.
            int scales = 0;
            for (int i = 0; i < times; i++)
            {
                scales += new Invoice.View(packed[i & 1]).Total.Scale;
            }
            if (scales != 2 * times)
            {
                throw new InvalidOperationException("The view shows another total.");
            }
        });
    }

    private static Contest LongText()
    {
        string text = string.Create(10_000, 0, (chars, _) =>
        {
            for (int i = 0; i < chars.Length; i++)
            {
                chars[i] = (char)('a' + (i % 26));
            }
        });
        var letter = new Letter { Text = text };
        byte[] packed = Packer.Pack(in letter);
        byte[] ascii = Encoding.ASCII.GetBytes(text);
        byte[] narrowed = new byte[text.Length];
        var room = new ArrayBufferWriter<byte>(RoomSize);
        Work narrow = new("Ascii.FromUtf16", times =>
        {
            for (int i = 0; i < times; i++)
            {
                Ascii.FromUtf16(text, narrowed, out int _);
            }
        });
        Work widen = new("string.Create with Ascii.ToUtf16", times =>
        {
            for (int i = 0; i < times; i++)
            {
                string.Create(ascii.Length, ascii, static (chars, bytes) => Ascii.ToUtf16(bytes, chars, out int _));
            }
        });
        Work pack = new("pack", times =>
        {
            for (int i = 0; i < times; i++)
            {
                room.ResetWrittenCount();
                Packer.Pack(room, in letter);
            }
        });
        Work unpack = new("unpack", times =>
        {
            for (int i = 0; i < times; i++)
            {
                Packer.Unpack<Letter>(packed);
            }
        });
        return new("text of 10,000 ASCII characters", [narrow, widen, pack, unpack], [new(pack, narrow, 1.3), new(unpack, widen, 1.3)]);
    }
}

/// <summary>Works on the same data, and what is promised of them.</summary>
/// <param name="Title">The data.</param>
/// <param name="Works">In the table's order.</param>
/// <param name="Bars">The promises.</param>
internal sealed record Contest(string Title, IReadOnlyList<Work> Works, IReadOnlyList<Bar> Bars);

/// <summary>Something to be timed.</summary>
/// <param name="Name">What the table calls it.</param>
/// <param name="Repeat">Does it so many times: the loop is inside, so that no call through a delegate is in the figure.</param>
internal sealed record Work(string Name, Action<int> Repeat);

/// <summary>What is promised of one work.</summary>
/// <param name="Work">Ours.</param>
/// <param name="Rival">What it is compared with; null where the promise is a time.</param>
/// <param name="Limit">How many times the rival's time it may take at most; with no rival, how many nanoseconds.</param>
internal sealed record Bar(Work Work, Work? Rival, double Limit);
