using System.Buffers;
using System.IO.Pipelines;
using BlitQueue.Shapes;

namespace BlitQueue.Generator.Tests.Properties;

/// <summary>The bytes of a message are its own: none is left as it was in memory, whatever receives them.</summary>
public class DirtyMemoryTests
{
    private const int MessagesOfType = 6;

    public static TheoryData<string> Types { get; } = [.. Target.All(typeof(Values).Assembly).Select(target => target.Type.Name)];

    [Theory]
    [MemberData(nameof(Types))]
    public async Task Every_destination_gets_the_same_bytes(string name)
    {
        var target = Target.Of(typeof(Values).Assembly.GetType("BlitQueue.Shapes." + name, throwOnError: true)!);
        var values = new RandomValues(name.Length);
        for (int i = 0; i < MessagesOfType; i++)
        {
            object message = values.MakeRoot(target.Type);
            byte[] expected = target.Pack(message);
            foreach (byte dirt in (byte[])[0x00, 0xCC])
            {
                DirtyPool(dirt);
                Assert.Equal(expected, target.Pack(message));

                // One byte too few, just enough, a header's worth, plenty: all else goes through scratch.
                foreach (int offered in (int[])[1, 5, expected.Length - 1, expected.Length, expected.Length + 1, 4096, 100_000])
                {
                    var rooms = new Rooms(Math.Max(1, offered), dirt);
                    target.Pack(rooms, message);
                    Assert.Equal(expected, rooms.Written);
                }
            }

            var buffer = new ArrayBufferWriter<byte>();
            target.Pack(buffer, message);
            Assert.Equal(expected, buffer.WrittenSpan.ToArray());
            Assert.Equal(expected, await ThroughPipe(target, message));
        }
    }

    private static async Task<byte[]> ThroughPipe(Target target, object message)
    {
        var pipe = new Pipe(new PipeOptions(minimumSegmentSize: 16, pauseWriterThreshold: 0));
        target.Pack(pipe.Writer, message);
        await pipe.Writer.CompleteAsync();
        return (await pipe.Reader.ReadAtLeastAsync(int.MaxValue)).Buffer.ToArray();
    }

    // What a scratch buffer is rented from.
    private static void DirtyPool(byte dirt)
    {
        foreach (int size in (int[])[64 * 1024, 128 * 1024])
        {
            byte[] rented = ArrayPool<byte>.Shared.Rent(size);
            Array.Fill(rented, dirt);
            ArrayPool<byte>.Shared.Return(rented);
        }
    }
}
