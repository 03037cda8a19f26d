using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class MutationTests
{
    private const int Mutations = 200_000;

    // Values that lengths, counts and marks are likely to trip over.
    private static readonly uint[] Nasty = [0, 1, 3, 4, 0xFF, 0xFFFE, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE,
        0xFFFFFFFF];

    [Fact]
    public void Mutated_bytes_are_a_message_or_a_PackException()
    {
        var random = new Random(20240229);
        byte[][] seeds = new[] { Packer.Pack(Order.Full()), Packer.Pack(new Order()), Packer.Pack(Order.Full("日本🚀")) };
        Order? used = null;
        (int messages, int faults) = (0, 0);
        for (int i = 0; i < Mutations; i++)
        {
            byte[] bytes = Mutate(seeds[i % seeds.Length], random);
            try
            {
                Packer.Unpack(bytes, ref used);
                messages++;

                // Whatever came out is valid: it packs, and what was packed comes back.
                byte[] again = Packer.Pack(in used);
                Assert.Equal(again, Packer.Pack(Packer.Unpack<Order>(again)));
            }
            catch (PackException)
            {
                faults++;
            }
        }

        Assert.True(messages > Mutations / 20 && faults > Mutations / 20, $"{messages} messages, {faults} faults");
    }

    private static byte[] Mutate(byte[] seed, Random random)
    {
        byte[] bytes = (byte[])seed.Clone();
        for (int changes = random.Next(1, 4); changes > 0; changes--)
        {
            int at = random.Next(bytes.Length);
            switch (random.Next(5))
            {
                case 0:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 1:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 2:
                    if (at + 4 <= bytes.Length)
                    {
                        BitConverter.TryWriteBytes(bytes.AsSpan(at), Nasty[random.Next(Nasty.Length)]);
                    }

                    break;
                case 3:
                    bytes = bytes[..(at + 1)];
                    break;
                default:
                    bytes = [.. bytes[..at], .. bytes[random.Next(bytes.Length)..]];
                    if (bytes.Length == 0)
                    {
                        bytes = [0];
                    }

                    break;
            }
        }

        return bytes;
    }
}
