namespace BlitQueue.Generator.Model;

/// <summary>A type as it is packed.</summary>
internal sealed record WireType
{
    public required WireKind Kind { get; init; }

    /// <summary>The C# name, fully qualified, without a question mark of its own.</summary>
    public required string Name { get; init; }

    /// <summary>The same as one word, such as ListOfLineItem, for the names of helper methods.</summary>
    public required string Word { get; init; }

    /// <summary>The kind's name in the schema; empty where it is made from the element's.</summary>
    public string Schema { get; init; } = "";

    /// <summary>Bytes in the fixed block; 0 for what is variable.</summary>
    public int Size { get; init; }

    /// <summary>
    /// A message whose static methods can be called by name, because nothing of the type's own hides them; a packer of ours, which writes a
    /// variable itself.
    /// </summary>
    public bool IsDirect { get; init; }

    /// <summary>The view of a message, where one is generated.</summary>
    public string View { get; init; } = "";

    /// <summary>The type that packs it, where that is the user's or a union's packer.</summary>
    public string Packer { get; init; } = "";

    /// <summary>The type whose static methods pack it.</summary>
    public string Target => Packer.Length > 0 ? Packer : Name;

    public bool IsValueType { get; init; }

    /// <summary>The element of a sequence, the value behind a nullable.</summary>
    public WireType? Element { get; init; }

    /// <summary>The element's C# name with its question mark.</summary>
    public string ElementName { get; init; } = "";

    /// <summary>The parts of a tuple; key and value of a dictionary.</summary>
    public EquatableArray<WireType> Parts { get; init; } = EquatableArray<WireType>.Empty;

    /// <summary>How many elements an inline array has.</summary>
    public int Length { get; init; }

    /// <summary>The dimensions of a grid.</summary>
    public int Rank { get; init; }

    /// <summary>The array, list, set or dictionary that is read in its place.</summary>
    public WireType? Via { get; init; }

    /// <summary>Which of the framework's collections or tuples it is, by metadata name.</summary>
    public string Container { get; init; } = "";

    /// <summary>A collection class of the user's own.</summary>
    public bool IsOwn { get; init; }

    /// <summary>Its only constructor that would do takes a capacity.</summary>
    public bool TakesCapacity { get; init; }

    /// <summary>Of one of the user's own: the framework's class whose comparer one of its constructors takes; empty for none.</summary>
    public string ComparerOf { get; init; } = "";

    /// <summary>Its settable members, which are not packed, and whose they are: <c>Owner of Tags</c>.</summary>
    public string Lost { get; init; } = "";

    /// <summary>To go through its elements is to run code that may be the user's.</summary>
    public bool IsOpen { get; init; }

    /// <summary>A type parameter, which a value may stand for as well as a reference.</summary>
    public bool IsParameter { get; init; }

    /// <summary>A type parameter's value that is a variable of its own, whatever its size: not one of several in a row.</summary>
    public bool StandsAlone { get; init; }

    /// <summary>Whether packing it may run code that is neither generated nor the framework's.</summary>
    public bool RunsUserCode
        => (Kind == WireKind.Custom && !IsDirect) || IsOpen || Element is { RunsUserCode: true } || Parts.Any(part => part.RunsUserCode);

    public bool IsFixed => Size > 0;

    /// <summary>
    /// An instance that is given is written into, so it must not stand anywhere else. To compare what
    /// stands for a type parameter would box it.
    /// </summary>
    public bool IsFilled => !IsStruct && !IsParameter && Name != "string" && Kind switch
    {
        WireKind.Tuple => false,
        WireKind.Object => Schema is "string" or "bits",
        _ => true,
    };

    /// <summary>The expression for what is there where nothing is.</summary>
    public string Nothing => IsStruct || IsParameter ? "default" : "null";

    public bool IsStruct
        => Kind is WireKind.Value or WireKind.NullableValue or WireKind.StructMessage or WireKind.NullableMessage or WireKind.Inline
        || IsValueType;
}
