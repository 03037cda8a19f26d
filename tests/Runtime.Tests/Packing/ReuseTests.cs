using System.Buffers;
using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class ReuseTests
{
    [Fact]
    public void A_string_already_equal_stays_the_same_object()
    {
        var order = Order.Full(new string('x', 18));
        string? customer = order.Customer;
        string? note = order.Notes![3];
        Packer.Unpack(Packer.Pack(Order.Full(new string('x', 18))), ref order!);
        Assert.Same(customer, order.Customer);
        Assert.Same(note, order.Notes![3]);
    }

    [Fact]
    public void An_instance_is_filled_with_all_it_contains()
    {
        var order = Order.Full();
        (Order? self, List<LineItem?>? items, LineItem? first, LineItem? gift, int[]? codes, List<bool>? flags,
            List<string?>? notes) = (order, order.Items, order.Items![0], order.Gift, order.Codes, order.Flags, order.Notes);
        var other = Order.Full("someone else");
        other.Codes = [4, 5, 6];
        other.Gift!.Count = 77;
        Packer.Unpack(Packer.Pack(in other), ref order!);

        MessageTests.Same(other, order);
        Assert.Same(self, order);
        Assert.Same(items, order.Items);
        Assert.Same(first, order.Items![0]);
        Assert.Same(gift, order.Gift);
        Assert.Same(codes, order.Codes);
        Assert.Same(flags, order.Flags);
        Assert.Same(notes, order.Notes);
    }

    [Fact]
    public void A_list_preserves_elements_by_position_and_drops_the_surplus()
    {
        List<LineItem?> list = [new(), new(), new()];
        (LineItem? first, LineItem? second) = (list[0], list[1]);
        byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteMessages<LineItem>([new() { Count = 1 }, new() { Count = 2 }]));
        Assert.Same(list, Hand.Unpack(bytes, (ref PackReader r) => r.ReadMessageList(list)));
        Assert.Equal(2, list.Count);
        Assert.Same(first, list[0]);
        Assert.Same(second, list[1]);
        Assert.Equal([1, 2], list.Select(item => item!.Count));
    }

    [Fact]
    public void What_a_list_dropped_is_not_alive_later()
    {
        List<LineItem?> list = new(4);
        WeakReference dropped = Fill(list);
        byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteMessages<LineItem>([null]));
        Hand.Unpack(bytes, (ref PackReader r) => r.ReadMessageList(list));
        GC.Collect();
        Assert.False(dropped.IsAlive);
        GC.KeepAlive(list);

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        static WeakReference Fill(List<LineItem?> list)
        {
            var last = new LineItem();
            list.AddRange([null, last]);
            return new WeakReference(last);
        }
    }

    [Fact]
    public void An_array_of_the_right_length_is_filled_and_another_replaced()
    {
        int[] codes = [0, 0];
        byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteSpan<int>([8, 9]));
        Assert.Same(codes, Hand.Unpack(bytes, (ref PackReader r) => r.ReadArray(codes)));
        Assert.Equal([8, 9], codes);
        int[] longer = [1, 2, 3];
        Assert.Equal([8, 9], Hand.Unpack(bytes, (ref PackReader r) => r.ReadArray(longer))!);
        Assert.Equal([1, 2, 3], longer);
    }

    [Fact]
    public void An_array_of_another_length_still_lends_its_elements()
    {
        var item = new LineItem();
        byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteMessages<LineItem>([new() { Count = 1 }, new() { Count = 2 }]));
        LineItem?[]? array = Hand.Unpack(bytes, (ref PackReader r) => r.ReadMessageArray<LineItem>([item]));
        Assert.Same(item, array![0]);
        Assert.Equal(2, array[1]!.Count);
    }

    [Fact]
    public void A_list_of_values_preserves_its_storage()
    {
        List<int> list = [1, 2, 3, 4];
        int capacity = list.Capacity;
        byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteSpan<int>([8, 9]));
        Assert.Same(list, Hand.Unpack(bytes, (ref PackReader r) => r.ReadList(list)));
        Assert.Equal([8, 9], list);
        Assert.Equal(capacity, list.Capacity);
    }

    [Fact]
    public void Packing_in_place_allocates_nothing()
    {
        var order = Order.Full();
        var destination = new ArrayBufferWriter<byte>(4096);
        Pack();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            Pack();
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Pack()
        {
            destination.ResetWrittenCount();
            Packer.Pack(destination, in order);
        }
    }

    [Fact]
    public void Unpacking_what_is_already_there_allocates_nothing()
    {
        var order = Order.Full();
        byte[] bytes = Packer.Pack(in order);
        Packer.Unpack(bytes, ref order!);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            Packer.Unpack(bytes, ref order!);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Packing_through_scratch_allocates_nothing_once_the_pool_is_warm()
    {
        var order = Order.Full();
        var destination = new ArrayBufferWriter<byte>(4096);
        Pack();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            Pack();
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Pack()
        {
            destination.ResetWrittenCount();
            var writer = new PackWriter(destination, default);
            Order.Pack(ref writer, in order);
            Assert.False(writer.InPlace);
            writer.Complete();
        }
    }

    [Fact]
    public void After_a_fault_the_instance_can_be_used_again()
    {
        var order = Order.Full();
        byte[] bytes = Packer.Pack(in order);
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.Throws<PackException>(() => Packer.Unpack(bytes.AsSpan(0, length), ref order!));
            Packer.Unpack(bytes, ref order!);
            MessageTests.Same(Order.Full(), order);
        }
    }
}
