namespace BlitQueue.Generator.Model;

/// <summary>How a type is packed. Each kind has a classifier in Parse/Kinds and its code in Emit/Kinds.</summary>
internal enum WireKind
{
    /// <summary>Fixed size: a number, an enum, a date, a struct that is copied as it lies in memory.</summary>
    Value,

    /// <summary>Fixed size: one byte of presence and a <see cref="Value"/>.</summary>
    NullableValue,

    String,
    Array,
    List,

    /// <summary>A class that is a message.</summary>
    Message,

    /// <summary>A struct that is a message.</summary>
    StructMessage,

    /// <summary>A struct that is a message, or null.</summary>
    NullableMessage,

    /// <summary>A type of variable size for which the runtime has methods: Uri, BigInteger, BitArray...</summary>
    Object,

    /// <summary>An array of several dimensions.</summary>
    Grid,

    /// <summary>Any other collection of .NET or of the user.</summary>
    Collection,

    Dictionary,

    /// <summary>Several values, one behind another: tuples, a key and a value.</summary>
    Tuple,

    /// <summary>A struct of variable size that is not a message, or null.</summary>
    NullableVariable,

    /// <summary>A type with a user's packer, which decides about the bytes.</summary>
    Custom,

    /// <summary>An [InlineArray] that is a message: all its elements, as the message's only member.</summary>
    Inline,

    /// <summary>A type parameter: its packer is found when the code runs.</summary>
    Argument,
}
