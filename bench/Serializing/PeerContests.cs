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

    public static IEnumerable<Contest> All() =>
    [
        Of("{int, long, double, text of 18}", Small.Create, 0.5, 1.0, 0.5),
        Of("Vector3[10000]", static () => Cloud.Create(Points), 1.02, 1.02, 1.02),
        Of("order of 50 lines", static () => Purchase.Create(Lines), 0.7, 0.7, 0.5, Copies()),
        Of("response with 100 hits, as JSON has them", static () => SearchResponse.Create(Hits), 1.0, 1.0, 1.0),
        Of("layer of 256 x 256 floats", static () => Layer.Create(Neurons), 1.02, 1.02, 1.02),
    ];

    // What any new order takes: its objects and strings, made of those of another one, and nothing read.
    private static Work Copies()
    {
        var purchase = Purchase.Create(Lines);
        return new("floor: the same objects by hand", times =>
        {
            for (int i = 0; i < times; i++)
            {
                purchase.Copy();
            }
        });
    }

    private static Contest Of<T>(
        string title, Func<T> create, double packLimit, double unpackLimit, double intoLimit, params Work[] floors)
        where T : class, IPackable<T>
    {
        Work[] ours = Ours(create), peers = Peers(create);
        return new(
            $"MemoryPack: {title}",
            [.. floors, peers[0], ours[0], peers[1], ours[1], peers[2], ours[2]],
            [new(ours[0], peers[0], packLimit), new(ours[1], peers[1], unpackLimit), new(ours[2], peers[2], intoLimit)]);
    }

    private static Work[] Ours<T>(Func<T> create)
        where T : class, IPackable<T>
    {
        T value = create();
        T? target = create();
        byte[] packed = Packer.Pack(in value);
        var room = new ArrayBufferWriter<byte>(2 * packed.Length);
        return
        [
            new("pack", times =>
            {
                for (int i = 0; i < times; i++)
                {
                    room.ResetWrittenCount();
                    Packer.Pack(room, in value);
                }
            }),
            new("unpack", times =>
            {
                for (int i = 0; i < times; i++)
                {
                    Packer.Unpack<T>(packed);
                }
            }),
            new("unpack into", times =>
            {
                for (int i = 0; i < times; i++)
                {
                    Packer.Unpack(packed, ref target);
                }
            }),
        ];
    }

    private static Work[] Peers<T>(Func<T> create)
        where T : class
    {
        T value = create();
        T? target = create();
        byte[] packed = MemoryPackSerializer.Serialize(value);
        var room = new ArrayBufferWriter<byte>(2 * packed.Length);
        return
        [
            new("MemoryPack, Serialize", times =>
            {
                for (int i = 0; i < times; i++)
                {
                    room.ResetWrittenCount();
                    MemoryPackSerializer.Serialize(room, value);
                }
            }),
            new("MemoryPack, Deserialize", times =>
            {
                for (int i = 0; i < times; i++)
                {
                    MemoryPackSerializer.Deserialize<T>(packed);
                }
            }),
            new("MemoryPack, Deserialize into", times =>
            {
                for (int i = 0; i < times; i++)
                {
                    MemoryPackSerializer.Deserialize(packed, ref target);
                }
            }),
        ];
    }
}
