using BlitQueue.Generated;
using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class HostileBytesTests
{
    [Theory]
    [InlineData("")]
    [InlineData("0400")]
    [InlineData("04000100")]
    [InlineData("04000100 020000")]
    [InlineData("04000100 02000000")]                           // the variable is missing
    [InlineData("04000100 02000000 070000")]
    [InlineData("04000100 02000000 07000000 03000000 6162")]    // its content is
    [InlineData("FFFF0100 02000000 00000000")]                  // 65535 belongs to the null mark
    [InlineData("0400FFFF 02000000 00000000")]
    [InlineData("FEFFFFFF")]
    [InlineData("04000200 02000000 00000000")]                  // a surplus variable that is not there
    [InlineData("04000200 02000000 00000000 FEFFFF7F")]
    [InlineData("04000200 02000000 00000000 00000080")]
    public void A_message_that_is_not_whole_is_refused(string hex) => Hand.Refused(hex, bytes => Packer.Unpack<LineItem>(bytes));

    [Fact]
    public void A_member_cut_in_half_is_refused_and_named()
    {
        PackException fault = Hand.Refused("03000100 020000 00000000", bytes => Packer.Unpack<LineItem>(bytes));
        Assert.Equal(4, fault.Offset);
        Assert.Equal("Count", fault.Member);
        Assert.Contains("ends inside a member", fault.Message);
    }

    // Of the fuzz campaign: seed 7, part 41082.
    [Fact]
    public void A_time_zone_cut_short_behind_a_rule_is_refused()
    {
        const string Text = "Zone 46;690;Made;Standard;Summer;[01:01:2000;01:01:2030;-60;[0;02:00:00;3;5;0;];[1;03:00:00;10;9;];7;";
        byte[] bytes = Convert.FromHexString("6900000065000000" + Convert.ToHexString(System.Text.Encoding.ASCII.GetBytes(Text)));
        PackException fault = Assert.Throws<PackException>(() => new PackReader(bytes).ReadTimeZoneInfo());
        Assert.IsType<IndexOutOfRangeException>(fault.InnerException);
    }

    [Fact]
    public void Every_message_cut_short_is_refused()
    {
        byte[] bytes = Packer.Pack(Order.Full());
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.Throws<PackException>(() => Packer.Unpack<Order>(bytes.AsSpan(0, length)));
        }
    }

    [Fact]
    public void A_depth_bomb_is_refused()
    {
        // Each level is a header and one variable that holds all the rest.
        byte[] bytes = new byte[2_000_000];
        for (int at = 0; at < bytes.Length; at += 8)
        {
            BitConverter.TryWriteBytes(bytes.AsSpan(at), 0x00010000);
            BitConverter.TryWriteBytes(bytes.AsSpan(at + 4), bytes.Length - at - 8);
        }

        Assert.Throws<PackException>(() => Packer.Unpack<Node>(bytes));
        Array.Fill(bytes, (byte)1);
        Assert.Throws<PackException>(() => Packer.Unpack<Node>(bytes));
    }

    [Fact]
    public void A_packer_that_nests_variables_without_end_is_stopped()
    {
        byte[] bytes = new byte[2_000_000];
        for (int at = 0; at + 4 <= bytes.Length; at += 4)
        {
            BitConverter.TryWriteBytes(bytes.AsSpan(at), bytes.Length - at - 4);
        }

        Assert.Throws<PackException>(() =>
        {
            var reader = new PackReader(bytes);
            Descend(ref reader);
        });

        static void Descend(ref PackReader reader)
        {
            if (reader.BeginVariable(out VariableScope scope))
            {
                Descend(ref reader);
                reader.EndVariable(scope);
            }
        }
    }

    [Theory]
    [InlineData("FEFFFFFF")]                // the count -2
    [InlineData("FEFFFFFF 00000000")]
    [InlineData("00000080 00000000")]
    [InlineData("06000000 000000000000")]   // one and a half elements
    [InlineData("08000000 00000000")]
    public void An_array_of_values_that_does_not_fit_is_refused(string hex)
    {
        Hand.Refused(hex, (ref PackReader r) => r.ReadArray<int>());
        Hand.Refused(hex, (ref PackReader r) => r.ReadList<int>());
        Hand.Refused(hex, (ref PackReader r) => r.ReadNullableArray<int>());
        Hand.Refused(hex, (ref PackReader r) => r.ReadNullableList<int>());
        Hand.Refused(hex, (ref PackReader r) => r.ReadSpan<int>().Length);
    }

    [Theory]
    [InlineData("04000000 FFFFFF7F")]
    [InlineData("04000000 00000080")]
    [InlineData("08000000 02000000 00000000")]      // two elements promised, room for one
    [InlineData("0C000000 01000000 FFFFFFFF 00000000")]     // bytes behind the last
    [InlineData("03000000 000000")]
    [InlineData("00000000")]                        // no count
    public void A_count_that_lies_is_refused(string hex)
    {
        Hand.Refused(hex, (ref PackReader r) => r.ReadStringArray());
        Hand.Refused(hex, (ref PackReader r) => r.ReadStringList());
        Hand.Refused(hex, (ref PackReader r) => r.ReadMessageArray<LineItem>());
        Hand.Refused(hex, (ref PackReader r) => r.ReadMessageList<LineItem>());
    }

    [Fact]
    public void A_count_bomb_allocates_nothing_but_its_exception()
    {
        byte[] strings = Convert.FromHexString("04000000" + "FFFFFF0F");
        byte[] values = Convert.FromHexString("FEFFFF7F" + "00000000");
        Quiet(() => new PackReader(strings).ReadStringArray());
        Quiet(() => new PackReader(strings).ReadMessageList<LineItem>());
        Quiet(() => new PackReader(values).ReadArray<long>());

        static void Quiet(Action bomb)
        {
            Assert.Throws<PackException>(bomb);
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Throws<PackException>(bomb);
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 20_000);
        }
    }

    // Sequences in sequences, each of which says that it has as many elements as the bytes left can hold: without a limit for all of
    // them together, each level of a recursive message would have room for a whole message's elements.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Counts_inside_each_other_promise_no_more_elements_than_the_bytes_can_contain(bool isGrid)
    {
        byte[] bytes = new byte[16_384];
        for (int at = 0; at + 8 <= bytes.Length; at += 8)
        {
            BitConverter.TryWriteBytes(bytes.AsSpan(at), bytes.Length - at - 4);
            BitConverter.TryWriteBytes(bytes.AsSpan(at + 4), (bytes.Length - at - 8) / 4);
        }

        long promised = 0L;
        Assert.Throws<PackException>(() =>
        {
            var reader = new PackReader(bytes);
            while (reader.BeginVariable(out _))
            {
                promised += Count(ref reader);
            }
        });
        Assert.InRange(promised, bytes.Length / 8, bytes.Length / 4);

        int Count(ref PackReader reader)
        {
            if (!isGrid)
            {
                return reader.ReadCount();
            }

            Span<int> lengths = [0];
            reader.ReadLengths(lengths, 4);
            return lengths[0];
        }
    }

    [Fact]
    public void Counts_inside_each_other_may_promise_every_byte()
    {
        // Three lists of two nulls each; nothing but counts, lengths and nulls.
        byte[] bytes = Convert.FromHexString(
            "34000000" + "03000000" + string.Concat(Enumerable.Repeat("0C000000" + "02000000" + "FFFFFFFF" + "FFFFFFFF", 3)));
        var reader = new PackReader(bytes);
        Assert.True(reader.BeginVariable(out VariableScope all));
        Assert.Equal(3, reader.ReadCount());
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(new string?[2], reader.ReadStringArray());
        }

        reader.EndWholeVariable(all);
    }

    [Fact]
    public void A_bool_of_2_is_refused_everywhere()
    {
        Hand.Refused("01000000 02", (ref PackReader r) => r.ReadArray<bool>());
        Hand.Refused("01000000 02", (ref PackReader r) => r.ReadList<bool>());
        Hand.Refused("02000000 0102", (ref PackReader r) => r.ReadNullableList<bool>());
        Hand.Refused("02000000 0201", (ref PackReader r) => r.ReadNullableArray<bool>());
    }

    [Fact]
    public void An_array_never_contains_a_bool_that_is_neither_true_nor_false()
    {
        bool[] old = [false, false];
        Assert.Throws<PackException>(() => new PackReader(Convert.FromHexString("020000000102")).ReadArray(old));
        Assert.Equal([true, false], old);
    }

    [Fact]
    public void Nothing_inside_a_variable_reads_beyond_it()
    {
        byte[] bytes = Convert.FromHexString("02000000" + "AABB" + "CCDDEEFF");
        var reader = new PackReader(bytes);
        Assert.True(reader.BeginVariable(out VariableScope scope));
        Assert.Equal(2, reader.Remaining);
        PackException? fault = null;
        try
        {
            reader.ReadValue<int>();
        }
        catch (PackException e)
        {
            fault = e;
        }

        Assert.Equal(4, fault!.Offset);
        reader.EndVariable(scope);
        Assert.Equal(0xFFEEDDCC, reader.ReadValue<uint>());
    }

    [Fact]
    public void An_inner_variable_cannot_be_longer_than_the_outer_one()
        => Hand.Refused("04000000 08000000 00000000 00000000", (ref PackReader r) =>
        {
            r.BeginVariable(out _);
            return r.ReadString();
        });

    [Fact]
    public void Null_cannot_be_a_struct()
    {
        Hand.Refused("FFFFFFFF", bytes => Packer.Unpack<Point>(bytes));
        Hand.Refused("FFFFFFFF", (ref PackReader r) =>
        {
            var point = default(Point);
            r.ReadMessage(ref point);
            return point;
        });
    }

    [Fact]
    public void A_nested_message_fills_its_variable_to_the_last_byte()
        => Hand.Refused("05000000 00000000 00", (ref PackReader r) =>
        {
            LineItem? item = null;
            r.ReadMessage(ref item);
            return item;
        });
}
