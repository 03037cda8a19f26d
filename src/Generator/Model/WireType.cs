namespace BlitQueue.Generator.Model;

/// <summary>How one type is packed.</summary>
internal sealed record WireType
{
    public required WireKind Kind { get; init; }

    /// <summary>The C# name, fully qualified, without a question mark of its own.</summary>
    public required string Name { get; init; }

    /// <summary>The name as one word, such as ListOfLineItem, for the names of helper methods.</summary>
    public required string Word { get; init; }

    /// <summary>The kind's name in the schema; empty if it is composed from the element's.</summary>
    public string Schema { get; init; } = "";

    /// <summary>Bytes in the fixed block; 0 for what is variable.</summary>
    public int Size { get; init; }

    /// <summary>
    /// Whether the static methods of a message can be called by name, because no member of the user's hides them; whether a packer is one
    /// of the library's, which write the variable themselves.
    /// </summary>
    public bool IsDirect { get; init; }

    /// <summary>The name of a message's view, if one is generated.</summary>
    public string View { get; init; } = "";

    /// <summary>The user's packer, or the union's; empty if there is none.</summary>
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

    /// <summary>The array, list, set or dictionary that is read first, and from which this one is made.</summary>
    public WireType? Via { get; init; }

    /// <summary>The metadata name of the .NET collection or tuple.</summary>
    public string Container { get; init; } = "";

    /// <summary>Whether it is a user's collection class.</summary>
    public bool IsOwn { get; init; }

    /// <summary>Whether the only usable constructor takes a capacity.</summary>
    public bool TakesCapacity { get; init; }

    /// <summary>For a user's collection: the .NET base class whose comparer one of its constructors takes; empty for none.</summary>
    public string ComparerOf { get; init; } = "";

    /// <summary>Its settable members, which are not packed, with the class: <c>Owner of Tags</c>.</summary>
    public string Lost { get; init; } = "";

    /// <summary>Whether enumerating it may run code that the user wrote.</summary>
    public bool IsOpen { get; init; }

    /// <summary>Whether it is a type parameter without a constraint to reference types: the argument may be a value.</summary>
    public bool IsParameter { get; init; }

    /// <summary>
    /// Whether a type parameter's value is written as a variable, even if it has a fixed size, because it is not one of several in a row.
    /// </summary>
    public bool StandsAlone { get; init; }

    /// <summary>Whether packing it may run code that is neither generated nor part of .NET.</summary>
    public bool RunsUserCode
        => (Kind == WireKind.Custom && !IsDirect) || IsOpen || Element is { RunsUserCode: true } || Parts.Any(part => part.RunsUserCode);

    public bool IsFixed => Size > 0;

    /// <summary>
    /// Whether unpacking fills a given instance, which therefore no other member may have. Never for a type parameter: comparing its values
    /// would box them.
    /// </summary>
    public bool IsFilled => !IsStruct && !IsParameter && Name != "string" && Kind switch
    {
        WireKind.Tuple => false,
        WireKind.Object => Schema is "string" or "bits",
        _ => true,
    };

    /// <summary>The expression for no instance: null or default.</summary>
    public string Nothing => IsStruct || IsParameter ? "default" : "null";

    public bool IsStruct
        => Kind is WireKind.Value or WireKind.NullableValue or WireKind.StructMessage or WireKind.NullableMessage or WireKind.Inline
        || IsValueType;
}
