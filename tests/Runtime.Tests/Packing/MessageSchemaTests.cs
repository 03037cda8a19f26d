using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class MessageSchemaTests
{
    [Fact]
    public void The_text_has_every_type_reached_in_depth_first_order()
    {
        Assert.Equal(
            "#0{Id:i64,Placed:datetime,Paid:bool,Total:decimal?,Shipped:datetimeoffset,Grade:char,Customer:string,Items:list<#1>,Gift:#1,"
            + "Codes:list<i32>,Flags:list<bool>,Notes:list<string>,Spot:#2}#1{Sku:string,Count:i32}#2{X:i32,Y:i16?}",
            Order.Schema.Text);
        Assert.Equal("#0{Next:#0}", Node.Schema.Text);
    }

    [Fact]
    public void The_fingerprint_is_the_start_of_the_texts_hash()
        => Assert.Equal(
            BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(Encoding.UTF8.GetBytes("#0{Next:#0}"))), Node.Schema.Fingerprint);

    [Fact]
    public void The_name_is_no_part_of_the_identity()
    {
        var renamed = new MessageSchema("Renamed", [new("Sku", "string"), new("Count", "i32")]);
        Assert.Equal(LineItem.Schema.Fingerprint, renamed.Fingerprint);
        Assert.Empty(LineItem.Schema.Difference(renamed.Text));
    }

    [Fact]
    public void User_code_in_a_nested_message_is_known_at_the_root()
    {
        var nested = new MessageSchema("Nested", [], runsUserCode: true);
        Assert.True(new MessageSchema("Root", [new("A", "list<#0>", () => nested)]).RunsUserCode);
        Assert.False(Order.Schema.RunsUserCode);
    }

    [Fact]
    public void Differences_are_told_member_by_member()
    {
        var inner = new MessageSchema("Item", [new("Sku", "i64"), new("Count", "i32")]);
        var ours = new MessageSchema(
            "A",
            [new("Id", "i64"), new("Total", "decimal"), new("Items", "list<#0>", () => LineItem.Schema),
                new("Map", "map<string,#0>", () => LineItem.Schema)]);
        var theirs = new MessageSchema(
            "B",
            [new("Items", "list<#0>", () => inner), new("Id", "i32"), new("Map", "map<string,#0>", () => inner), new("Extra", "string")]);
        Assert.Equal(
            [
                "Id: i64 here, i32 there",
                "Total: only here (decimal)",
                "Items.Sku: string here, i64 there",
                "Extra: only there (string)",
                "order: Id, Items, Map here, Items, Id, Map there",
            ],
            ours.Difference(theirs.Text));
    }

    [Fact]
    public void Versions_that_may_share_a_queue_have_no_obstacles()
    {
        var appended = new MessageSchema("LineItem", [.. LineItem.Schema.Members, new("Price", "decimal")]);
        Assert.Empty(LineItem.Schema.Obstacles(LineItem.Schema.Text));
        Assert.Empty(LineItem.Schema.Obstacles(appended.Text));
        Assert.Empty(appended.Obstacles(LineItem.Schema.Text));
        var other = new MessageSchema("LineItem", [new("Sku", "i64"), new("Count", "i32")]);
        Assert.Contains(LineItem.Schema.Obstacles(other.Text), static line => line.Contains("Sku", StringComparison.Ordinal));
        Assert.Equal(["the other schema cannot be read"], LineItem.Schema.Obstacles("#0{"));
    }

    [Fact]
    public void The_form_is_part_of_the_identity()
    {
        var tolerant = new MessageSchema("LineItem", LineItem.Schema.Members, form: "tolerant");
        Assert.NotEqual(LineItem.Schema.Fingerprint, tolerant.Fingerprint);
        Assert.Equal(["the message: tolerant here, sequential there"], tolerant.Difference(LineItem.Schema.Text));
    }

    [Theory]
    [InlineData("")]
    [InlineData("}")]
    [InlineData("#0{")]
    [InlineData("#1{A:i32}")]
    [InlineData("#0{A}")]
    [InlineData("#0{A:#1}")]
    [InlineData("#0{A:#99999999999}x")]
    [InlineData("#0{A:i32}tail")]
    [InlineData("#0{,}")]
    public void A_damaged_text_is_said_to_be_one(string text)
        => Assert.Equal(["the other schema cannot be read"], LineItem.Schema.Difference(text));
}
