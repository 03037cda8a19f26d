namespace BlitQueue.Peers.Models;

[MemoryPackable, QueueMessage]
internal partial class Included
{
    public int Public { get; set; }
    public int Field;

    [MemoryPackIgnore, PackIgnore] public int Ignored { get; set; } = 5;

    [MemoryPackInclude, PackInclude] private int Hidden { get; set; }
    [MemoryPackInclude, PackInclude] private string? _field;

    public static Included With(int hidden, string field) => new() { Public = 1, Field = 2, Hidden = hidden, _field = field };

    public (int Hidden, string? Field) Inside => (Hidden, _field);
}

[MemoryPackable, QueueMessage]
internal partial class HiddenGetter
{
    [PackInclude] public int Number { private get; set; }

    public int Seen => Number;
}

[MemoryPackable, QueueMessage]
internal partial class Constructed
{
    [MemoryPackConstructor, PackConstructor]
    public Constructed(int number, string? text) => (Number, Text, Calls) = (number, text, 1);

    public int Number { get; }
    public string? Text { get; private set; }
    public int Later { get; set; }

    [MemoryPackIgnore, PackIgnore] public int Calls { get; }
}

[MemoryPackable, QueueMessage]
internal partial record Person(string? Name, int Age)
{
    public string? Nick { get; init; }
}

[MemoryPackable, QueueMessage]
internal readonly partial record struct Point(int X, int Y);

[MemoryPackable, QueueMessage]
internal partial class RequiredMembers
{
    public required int Number { get; set; }
    public required string? Text { get; init; }
}

[MemoryPackable, QueueMessage]
internal partial class Keywords
{
    public int @class { get; set; }
    public string? @event { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Animal
{
    public int Legs { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Dog : Animal
{
    public string? Name { get; set; }
}

internal partial class Outer
{
    [MemoryPackable, QueueMessage]
    public partial class Inner
    {
        public int Number { get; set; }
    }
}

[MemoryPackable, QueueMessage]
internal partial class Box<T>
{
    public T? Value { get; set; }
    public List<T>? Values { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Tree
{
    public int Number { get; set; }
    public List<Tree>? Children { get; set; }
}

[MemoryPackable, MemoryPackUnion(0, typeof(Circle)), MemoryPackUnion(300, typeof(Rectangle))]
[QueueMessage, PackUnion(0, typeof(Circle)), PackUnion(300, typeof(Rectangle))]
internal partial interface IShape;

[MemoryPackable, QueueMessage]
internal partial class Circle : IShape
{
    public double Radius { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Rectangle : IShape
{
    public double Width { get; set; }
    public IShape? Inside { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Drawing
{
    public IShape? Frame { get; set; }
    public IShape?[]? Shapes { get; set; }
}

/// <summary>Of another assembly, as far as both are concerned: it cannot list its cases.</summary>
internal interface IPet;

[MemoryPackable, QueueMessage]
internal partial class Cat : IPet
{
    public int Lives { get; set; }
}

[MemoryPackUnionFormatter(typeof(IPet)), MemoryPackUnion(0, typeof(Cat))]
internal partial class PetFormatter;

[PackUnionOf(typeof(IPet)), PackUnion(0, typeof(Cat))]
internal partial class PetPacker;

[MemoryPackable, QueueMessage]
internal partial class Zoo
{
    [MemoryPackAllowSerialize] public IPet? First { get; set; }
    [MemoryPackAllowSerialize] public List<IPet?>? All { get; set; }
    public Box<IPet>? Boxed { get; set; }
}

[MemoryPackable(GenerateType.CircularReference), QueueMessage(Layout = PackLayout.CircularReference)]
internal partial class Node
{
    [MemoryPackOrder(0), PackOrder(0)] public int Number { get; set; }
    [MemoryPackOrder(1), PackOrder(1)] public Node? Parent { get; set; }
    [MemoryPackOrder(2), PackOrder(2)] public Node?[]? Children { get; set; }
}

[MemoryPackable(GenerateType.VersionTolerant), QueueMessage(Layout = PackLayout.VersionTolerant)]
internal partial class TolerantOld
{
    [MemoryPackOrder(0), PackOrder(0)] public int Kept { get; set; }
    [MemoryPackOrder(1), PackOrder(1)] public string? Removed { get; set; }
    [MemoryPackOrder(2), PackOrder(2)] public string? Last { get; set; }
}

[MemoryPackable(GenerateType.VersionTolerant), QueueMessage(Layout = PackLayout.VersionTolerant)]
internal partial class TolerantNew
{
    [MemoryPackOrder(2), PackOrder(2)] public string? Last { get; set; }
    [MemoryPackOrder(0), PackOrder(0)] public int Kept { get; set; }
    [MemoryPackOrder(3), PackOrder(3)] public int Added { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class OldOrder
{
    public int Id { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class NewOrder
{
    public int Id { get; set; }

    [SuppressDefaultInitialization] public int Count { get; set; } = 10;
}

[MemoryPackable, QueueMessage]
internal partial class LatestOrder
{
    public int Id { get; set; }
    public int Count { get; set; } = 10;
    public int Field = 20;
}
