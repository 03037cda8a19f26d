using BlitQueue.Generated;
using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class EvolutionTests
{
    // What a writer that knew only Id and Customer wrote.
    private static readonly byte[] Older = Hand.Pack((ref PackWriter w) =>
    {
        w.BeginMessage(fixedLength: 8, variableCount: 1).Write(0, 42L);
        w.WriteString("old");
        w.EndMessage();
    });

    [Fact]
    public void A_new_instance_preserves_the_initializers_of_members_the_writer_did_not_know()
    {
        Order order = Packer.Unpack<Order>(Older)!;
        Assert.Equal((42L, "old"), (order.Id, order.Customer));
        Assert.Equal('A', order.Grade);
        Assert.Equal("none", order.Gift!.Sku);
    }

    [Fact]
    public void A_used_instance_has_members_the_writer_did_not_know_set_to_their_defaults()
    {
        var order = Order.Full();
        Packer.Unpack(Older, ref order!);
        var expected = new Order { Id = 42, Customer = "old", Grade = default, Gift = null };
        MessageTests.Same(expected, order);
    }

    [Fact]
    public void A_writer_that_knew_no_member_at_all_is_understood()
    {
        byte[] empty = [0, 0, 0, 0];
        MessageTests.Same(new Order(), Packer.Unpack<Order>(empty)!);
        var order = Order.Full();
        Packer.Unpack(empty, ref order!);
        MessageTests.Same(new Order { Grade = default, Gift = null }, order);
    }

    [Fact]
    public void Members_that_a_newer_writer_appended_are_skipped()
    {
        byte[] newer = Hand.Pack((ref PackWriter w) =>
        {
            FixedBlockWriter block = w.BeginMessage(fixedLength: 12, variableCount: 4);
            block.Write(0, 2);
            block.Write(4, 99L);
            w.WriteString("X-1");
            w.WriteString("appended");
            w.WriteNull();
            w.WriteSpan<int>([1, 2, 3]);
            w.EndMessage();
        });
        LineItem item = Packer.Unpack<LineItem>(newer)!;
        Assert.Equal(("X-1", 2), (item.Sku, item.Count));
    }

    [Fact]
    public void Nested_messages_evolve_by_themselves()
    {
        byte[] bytes = Hand.Pack((ref PackWriter w) =>
        {
            w.BeginMessage(fixedLength: 0, variableCount: 3);
            w.WriteNull();
            VariableMark list = w.BeginVariable();
            w.WriteCount(2);
            VariableMark older = w.BeginVariable();
            w.BeginMessage(fixedLength: 4, variableCount: 0).Write(0, 5);
            w.EndMessage();
            w.EndVariable(older);
            VariableMark newer = w.BeginVariable();
            w.BeginMessage(fixedLength: 5, variableCount: 2).Write(0, 6);
            w.WriteString("six");
            w.WriteString("more");
            w.EndMessage();
            w.EndVariable(newer);
            w.EndVariable(list);
            w.WriteNull();
            w.EndMessage();
        });
        Order order = Packer.Unpack<Order>(bytes)!;
        Assert.Equal([(null, 5), ("six", 6)], order.Items!.Select(item => (item!.Sku, item.Count)));
        Assert.Null(order.Gift);
    }

    [Fact]
    public void A_block_that_ends_between_two_members_is_fine_and_inside_one_is_not()
    {
        int[] ends = [0, 8, 16, 17, 34, 44, 46];
        for (int length = 0; length <= 60; length++)
        {
            byte[] bytes = new byte[4 + length];
            bytes[0] = (byte)length;
            if (length >= 46 || ends.Contains(length))
            {
                Assert.NotNull(Packer.Unpack<Order>(bytes));
            }
            else
            {
                Assert.Throws<PackException>(() => Packer.Unpack<Order>(bytes));
            }
        }
    }
}
