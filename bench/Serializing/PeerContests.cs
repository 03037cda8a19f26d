using System.Buffers;
using BlitQueue.Bench.Messages;
using MemoryPack;

namespace BlitQueue.Bench.Serializing;

/// <summary>MemoryPack beside us on the same types, in the same rounds: into a buffer, to a new instance, and into one.</summary>
internal static class PeerContests
{
    private const int Points = 10_000;
    private const int Lines = 50;
    private const int Hits = 100;
    private const int Neurons = 256;

    // Limits: into a buffer, to a new instance, into one, to a new array.
    public static IEnumerable<Contest> All() =>
    [
        Of("{int, long, double, text of 18}", Small.Create, [0.5, 1.0, 0.5, 1.0]),
        Of("Vector3[10000]", static () => Cloud.Create(Points), [1.02, 1.02, 1.02], hasTexts: false),
        Of("order of 50 lines", static () => Purchase.Create(Lines), [0.7, 0.7, 0.5, 1.0], others: Copies()),
        Of("3 numbers, a text of 14 letters, one of 10 kana", Writer.Create, [1.0, 1.0, 0.5, 1.0],
            others: Ours(WideWriter.Create, ", Strings = Utf16")),
        Of("page of 50 items with many texts", ItemPage.Create, [1.0, 1.0, 0.5, 1.0]),
        Of("response with 100 hits, as JSON has them", static () => SearchResponse.Create(Hits), [1.0, 1.0, 0.5, 1.0]),
        Of("layer of 65,792 floats", static () => Layer.Create(Neurons), [1.0, 1.0, 1.02], hasTexts: false),
    ];

    // What any new order takes: its objects and strings, made of those of another one, and nothing read.
    private static Work[] Copies()
    {
        var purchase = Purchase.Create(Lines);
        return
        [
            new("floor: the same objects by hand", times =>
            {
                for (int i = 0; i < times; i++)
                {
                    purchase.Copy();
                }
            }),
        ];
    }

    // As many of the works as there are limits. Where there are texts MemoryPack's other encoding is one more rival, which may be ahead of
    // its default; bars that are stricter than the new ones are those of the default.
    private static Contest Of<T>(string title, Func<T> create, double[] limits, bool hasTexts = true, Work[]? others = null)
        where T : class, IPackable<T>
    {
        Work[] ours = Ours(create);
        Work[][] peers =
        [
            Peers(create, "MemoryPack", MemoryPackSerializerOptions.Default),
            .. hasTexts ? (Work[][])[Peers(create, "MemoryPack, UTF-16", MemoryPackSerializerOptions.Utf16)] : [],
        ];
        return new(
            $"MemoryPack: {title}",
            [.. others ?? [], .. limits.SelectMany((_, i) => peers.Select(peer => peer[i]).Append(ours[i]))],
            [.. limits.SelectMany((limit, i) => peers.Select((peer, which) => new Bar(ours[i], peer[i], Limit(limit, i, which))))]);

        static double Limit(double limit, int work, int peer) => peer == 0 ? limit : work == 2 ? 0.5 : 1.0;
    }

    private static Work[] Ours<T>(Func<T> create, string suffix = "")
        where T : class, IPackable<T>
    {
        T value = create();
        T? target = create();
        byte[] packed = Packer.Pack(in value);
        var room = new ArrayBufferWriter<byte>(2 * packed.Length);
        return
        [
            new("pack" + suffix, times =>
            {
                for (int i = 0; i < times; i++)
                {
                    room.ResetWrittenCount();
                    Packer.Pack(room, in value);
                }
            }),
            new("unpack" + suffix, times =>
            {
                for (int i = 0; i < times; i++)
                {
                    Packer.Unpack<T>(packed);
                }
            }),
            new("unpack into" + suffix, times =>
            {
                for (int i = 0; i < times; i++)
                {
                    Packer.Unpack(packed, ref target);
                }
            }),
            new("pack to a new array" + suffix, times =>
            {
                for (int i = 0; i < times; i++)
                {
                    Packer.Pack(in value);
                }
            }),
        ];
    }

    private static Work[] Peers<T>(Func<T> create, string name, MemoryPackSerializerOptions options)
        where T : class
    {
        T value = create();
        T? target = create();
        byte[] packed = MemoryPackSerializer.Serialize(value, options);
        var room = new ArrayBufferWriter<byte>(2 * packed.Length);
        return
        [
            new(name + ", Serialize", times =>
            {
                for (int i = 0; i < times; i++)
                {
                    room.ResetWrittenCount();
                    MemoryPackSerializer.Serialize(room, value, options);
                }
            }),
            new(name + ", Deserialize", times =>
            {
                for (int i = 0; i < times; i++)
                {
                    MemoryPackSerializer.Deserialize<T>(packed, options);
                }
            }),
            new(name + ", Deserialize into", times =>
            {
                for (int i = 0; i < times; i++)
                {
                    MemoryPackSerializer.Deserialize(packed, ref target, options);
                }
            }),
            new(name + ", Serialize to a new array", times =>
            {
                for (int i = 0; i < times; i++)
                {
                    MemoryPackSerializer.Serialize(value, options);
                }
            }),
        ];
    }
}
