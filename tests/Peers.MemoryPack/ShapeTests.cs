using BlitQueue.Peers.Models;

namespace BlitQueue.Peers;

/// <summary>What a type may look like, through both.</summary>
public sealed class ShapeTests
{
    [Fact, Row("public and private members, fields and properties, included and ignored")]
    public void Members_are_preserved_as_they_are_marked()
    {
        var given = Included.With(3, "four");
        given.Ignored = 99;
        foreach (Included? got in new[] { Both.ThroughPeer(given), Both.ThroughOurs(given) })
        {
            Assert.Equal((1, 2, 5, (3, "four")), (got!.Public, got.Field, got.Ignored, got.Inside));
        }
    }

    [Fact, Row("public members whose getter is not public", Differs = true)]
    public void Hidden_getters_are_marked_here()
    {
        // Without [PackInclude] it is BQ0009.
        var given = new HiddenGetter { Number = 5 };
        Assert.Equal((5, 5), (Both.ThroughPeer(given)!.Seen, Both.ThroughOurs(given)!.Seen));
    }

    [Fact, Row("constructors, whose parameters match members by name")]
    public void Constructors_are_called()
    {
        var given = new Constructed(1, "two") { Later = 3 };
        foreach (Constructed? got in new[] { Both.ThroughPeer(given), Both.ThroughOurs(given) })
        {
            Assert.Equal((1, "two", 3, 1), (got!.Number, got.Text, got.Later, got.Calls));
        }
    }

    [Fact, Row("records, record structs, `init`, `required`")]
    public void Records_are_preserved()
    {
        Both.AssertPreserved(new Person("Ada", 36) { Nick = "A" });
        Both.AssertPreserved(new Point(1, 2));
        Both.AssertPreserved(new RequiredMembers { Number = 1, Text = "a" });
    }

    [Fact, Row("members named by keywords")]
    public void Keywords_are_names() => Both.AssertPreserved(new Keywords { @class = 1, @event = "e" });

    [Fact, Row("members of base classes; nested types; generic types; types that contain themselves")]
    public void Types_are_preserved_wherever_they_stand()
    {
        Both.AssertPreserved(new Dog { Legs = 4, Name = "Rex" });
        Both.AssertPreserved(new Outer.Inner { Number = 1 });
        Both.AssertPreserved(new Box<int> { Value = 1, Values = [2, 3] });
        Both.AssertPreserved(new Box<string> { Value = "a", Values = ["b"] });
        Both.AssertPreserved(new Box<Dog> { Value = new() { Legs = 3 } });
        Both.AssertPreserved(new Tree { Number = 1, Children = [new() { Number = 2, Children = [] }, new()] });
    }

    [Fact, Row("unions, nested ones among them")]
    public void Unions_are_preserved() => Both.AssertPreserved(new Drawing
    {
        Frame = new Circle { Radius = 1 }, Shapes = [new Rectangle { Width = 2, Inside = new Circle { Radius = 3 } }, null],
    });

    [Fact, Row("unions that a class beside them lists", Differs = true)]
    public void Unions_of_others_are_preserved() => Both.AssertPreserved(new Zoo
    {
        First = new Cat { Lives = 9 }, All = [new Cat { Lives = 1 }, null], Boxed = new Box<IPet> { Value = new Cat { Lives = 2 } },
    });

    [Fact, Row("an instance whose type no union or member names", Differs = true)]
    public void What_a_derived_instance_has_more_is_lost_there_and_refused_here()
    {
        var given = new Box<Animal> { Value = new Dog { Legs = 4, Name = "Rex" } };
        Assert.IsType<Animal>(Both.ThroughPeer(given)!.Value);
        Assert.Throws<PackException>(() => Both.ThroughOurs(given));
    }

    [Fact, Row("circular and shared references")]
    public void References_are_preserved()
    {
        var parent = new Node { Number = 1 };
        var child = new Node { Number = 2, Parent = parent };
        parent.Children = [child, child, null];
        foreach (Node? got in new[] { Both.ThroughPeer(parent), Both.ThroughOurs(parent) })
        {
            Assert.Same(got, got!.Children![0]!.Parent);
            Assert.Same(got.Children[0], got.Children[1]);
        }
    }

    [Fact, Row("version-tolerant types: members added, removed, moved")]
    public void Tolerant_types_are_read_by_their_numbers()
    {
        var old = new TolerantOld { Kept = 1, Removed = "x", Last = "z" };
        Assert.Equal((1, "z", 0), Read(MemoryPackSerializer.Deserialize<TolerantNew>(MemoryPackSerializer.Serialize(old))!));
        Assert.Equal((1, "z", 0), Read(Packer.Unpack<TolerantNew>(Packer.Pack(old))!));

        var later = new TolerantNew { Kept = 1, Last = "z", Added = 2 };
        string expected = Both.Describe(new TolerantOld { Kept = 1, Last = "z" });
        Assert.Equal(expected, Both.Describe(Packer.Unpack<TolerantOld>(Packer.Pack(later))));
        Assert.Equal(expected, Both.Describe(MemoryPackSerializer.Deserialize<TolerantOld>(MemoryPackSerializer.Serialize(later))));

        static (int, string?, int) Read(TolerantNew message) => (message.Kept, message.Last, message.Added);
    }

    [Fact, Row("members appended to an ordinary type")]
    public void Appended_members_are_read_by_the_newer_type()
    {
        var old = new OldOrder { Id = 1 };
        Assert.Equal(10, MemoryPackSerializer.Deserialize<NewOrder>(MemoryPackSerializer.Serialize(old))!.Count);
        Assert.Equal(10, Packer.Unpack<NewOrder>(Packer.Pack(old))!.Count);
    }

    [Fact, Row("what an initializer set, where the bytes do not have the member", Differs = true)]
    public void Initializers_count_where_the_bytes_have_nothing()
    {
        var old = new OldOrder { Id = 1 };
        Assert.Equal((0, 0), Read(MemoryPackSerializer.Deserialize<LatestOrder>(MemoryPackSerializer.Serialize(old))!));
        Assert.Equal((10, 20), Read(Packer.Unpack<LatestOrder>(Packer.Pack(old))!));

        static (int, int) Read(LatestOrder order) => (order.Count, order.Field);
    }

    [Fact, Row("a message of a newer type read by the older one", Differs = true)]
    public void Members_that_are_not_known_are_refused_there_and_skipped_here()
    {
        var later = new NewOrder { Id = 1, Count = 2 };
        byte[] bytes = MemoryPackSerializer.Serialize(later);
        Assert.Throws<MemoryPackSerializationException>(() => MemoryPackSerializer.Deserialize<OldOrder>(bytes));
        Assert.Equal(1, Packer.Unpack<OldOrder>(Packer.Pack(later))!.Id);
    }

    [Fact, Row("what a new instance's initializer shares with others")]
    public void What_is_shared_is_not_written_to()
    {
        var given = new Shared { Member = new() { Text = "own" } };
        Assert.Equal("own", Both.ThroughPeer(given)!.Member.Text);
        Assert.Equal("own", Both.ThroughOurs(given)!.Member.Text);
        Assert.Equal("nothing", Shared.Nothing.Text);
    }
}
