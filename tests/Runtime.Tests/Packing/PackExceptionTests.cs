using BlitQueue.Tests.Packing.Samples;
using BlitQueue.Views;

namespace BlitQueue.Tests.Packing;

public sealed class PackExceptionTests
{
    [Fact]
    public void It_names_the_fixed_member()
    {
        byte[] bytes = Packer.Pack(Order.Full());
        bytes[4 + 16] = 2;
        PackException fault = Assert.Throws<PackException>(() => Packer.Unpack<Order>(bytes));
        Assert.Equal(("Order", "Paid", 20L), (fault.MessageName, fault.Member, fault.Offset));
        Assert.Equal("Order.Paid: 0x2 is no valid Boolean (byte 20)", fault.Message);

        bytes[4 + 16] = 1;
        bytes[4 + 17] = 9;
        Assert.Equal("Total", Assert.Throws<PackException>(() => Packer.Unpack<Order>(bytes)).Member);
    }

    [Fact]
    public void It_names_the_path_to_a_nested_member()
    {
        var order = Order.Full();
        Assert.Equal("Items[2].Sku", Spoiled(order, "E697A5", "E6FFA5"));
        Assert.Equal("Items[0].Sku", Spoiled(order, "582D31", "58FF31"));
        Assert.Equal("Notes[0]", Spoiled(order, "6669727374", "66697273FF"));
        Assert.Equal("Flags[1]", Spoiled(order, "03000000" + "010001", "03000000" + "010301"));
        Assert.Equal("Spot.Y", Spoiled(order, "07000000" + "01FDFF", "07000000" + "05FDFF"));
        Assert.Equal("Customer", Spoiled(order, "0C000000" + "416461", "0D000000" + "416461"));
    }

    [Theory]
    [InlineData("Prices[1].Key", "736563", "73FF63")]
    [InlineData("Prices[1].Value.Sku", "736B75", "73FF75")]
    [InlineData("Pair.Item2", "6E6F74", "6EFF74")]
    [InlineData("Seen[1,1]", "010001" + "000100", "010001" + "000200")]
    [InlineData("Seen[0,2]", "010001" + "000100", "010003" + "000100")]
    [InlineData("Seen", "02000000" + "03000000" + "0100", "03000000" + "03000000" + "0100")]
    [InlineData("Rows[1][1]", "726F77", "72FF77")]
    public void It_names_the_path_through_maps_tuples_grids_and_lists_of_lists(string member, string hex, string spoiled)
    {
        string text = Convert.ToHexString(Packer.Pack(Board.Full()));
        Assert.Contains(hex, text);
        byte[] bytes = Convert.FromHexString(text.Replace(hex, spoiled));
        Assert.Equal(member, Assert.Throws<PackException>(() => Packer.Unpack<Board>(bytes)).Member);

        PackException viewed = Assert.Throws<PackException>(() => Look(new Board.View(bytes)));
        Assert.Equal((Board.Schema.Name, member), (viewed.MessageName, viewed.Member));
    }

    [Fact]
    public void A_key_that_comes_twice_is_no_fault()
    {
        string text = Convert.ToHexString(Packer.Pack(new Board { Prices = new() { ["ab"] = null, ["ac"] = null, ["ad"] = null } }));
        byte[] bytes = Convert.FromHexString(text.Replace("6163", "6162"));
        Assert.Equal(["ab", "ad"], Packer.Unpack<Board>(bytes)!.Prices!.Keys.Order());
    }

    [Fact]
    public void It_names_the_variable_whose_length_is_wrong()
        => Assert.Equal("Codes", Spoiled(Order.Full(), "0C000000" + "01000000", "FF000000" + "01000000"));

    [Fact]
    public void It_names_a_variable_that_ends_inside_its_content()
        => Assert.Equal("Codes", Spoiled(Order.Full(), "0C000000" + "01000000", "0B000000" + "01000000"));

    [Fact]
    public void It_is_the_fault_itself_that_names_the_member()
    {
        PackException fault = Assert.Throws<PackException>(() => Packer.Unpack<LineItem>([4, 0, 1, 0, 0, 0, 0, 0, 0]));
        Assert.Null(fault.InnerException);
        Assert.Equal(8, fault.Offset);
        Assert.Equal("Sku", fault.Member);
    }

    [Fact]
    public void A_fault_in_no_member_names_the_message_alone()
    {
        PackException fault = Assert.Throws<PackException>(() => Packer.Unpack<LineItem>([4]));
        Assert.Equal(("LineItem", null), (fault.MessageName, fault.Member));
    }

    [Fact]
    public void Helpers_for_generated_code_name_the_types()
    {
        Assert.Contains(nameof(LineItem), Assert.Throws<PackException>(() => PackException.ThrowDerived("x", typeof(LineItem))).Message);
        Assert.Contains("String", Assert.Throws<PackException>(() => PackException.ThrowNotInUnion("x", typeof(LineItem))).Message);
        Assert.Contains(
            "7", Assert.Throws<PackException>(() => PackException.ThrowUnknownTag(new PackReader([]), 7, typeof(LineItem))).Message);
    }

    private static void Look(Board.View board)
    {
        foreach ((StringView key, PackedView<LineItem> value) in board.Prices)
        {
            key.ToString();
            value.ToObject();
        }

        board.Pair.Item2.ToString();
        board.Seen.AsSpanView().ToArray();
        foreach (ListView<StringView> row in board.Rows)
        {
            foreach (StringView cell in row)
            {
                cell.ToString();
            }
        }
    }

    private static string? Spoiled(Order order, string hex, string spoiled)
    {
        string text = Convert.ToHexString(Packer.Pack(in order));
        Assert.Contains(hex, text);
        byte[] bytes = Convert.FromHexString(text.Replace(hex, spoiled));
        return Assert.Throws<PackException>(() => Packer.Unpack<Order>(bytes)).Member;
    }
}
