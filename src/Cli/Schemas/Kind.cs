using System.Globalization;

namespace BlitQueue.Cli.Schemas;

/// <summary>What a member or an element is: <c>i32</c>, <c>string?</c>, <c>#2</c>, <c>map&lt;string,#1&gt;</c>.</summary>
/// <param name="Name">The word in front of the brackets.</param>
/// <param name="Parts">What is in the brackets.</param>
/// <param name="IsNullable">Whether a question mark is behind it.</param>
internal sealed record Kind(string Name, IReadOnlyList<Kind> Parts, bool IsNullable)
{
    /// <summary>The number of the message that it is; -1 if it is none.</summary>
    public int Message => Name is ['#', .. var number] ? int.Parse(number, NumberStyles.None, CultureInfo.InvariantCulture) : -1;

    /// <summary>The bytes of a value of fixed size, without the byte that says whether there is one; 0 for any other kind.</summary>
    public int ValueSize => Parts.Count > 0 ? 0 : Name switch
    {
        "bool" or "i8" or "u8" => 1,
        "char" or "i16" or "u16" or "f16" => 2,
        "i32" or "u32" or "f32" or "date" or "rune" => 4,
        "i64" or "u64" or "f64" or "datetime" or "timespan" or "time" => 8,
        "datetimeoffset" => 10,
        "i128" or "u128" or "decimal" or "guid" or "complex" => 16,
        ['b', 'l', 'i', 't', .. var size] when int.TryParse(size, NumberStyles.None, CultureInfo.InvariantCulture, out int bytes) => bytes,
        _ => 0,
    };

    /// <summary>The bytes in the fixed block, or of an element; 0 if it is a variable.</summary>
    public int FixedSize => ValueSize > 0 && IsNullable ? ValueSize + 1 : ValueSize;

    /// <summary>Whether every value of it is written as a JSON string, so that it can be the name of a member.</summary>
    public bool IsText => !IsNullable && Parts.Count == 0 && Name is "string" or "uri" or "culture" or "char" or "rune";

    /// <summary>As the schema has it.</summary>
    public override string ToString()
        => $"{Name}{(Parts.Count > 0 ? $"<{string.Join(',', Parts)}>" : "")}{(IsNullable ? "?" : "")}";
}
