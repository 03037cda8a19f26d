namespace BlitQueue.Cli.Schemas;

/// <summary>What a member or an element is: <c>i32</c>, <c>string?</c>, <c>#2</c>, <c>map&lt;string,#1&gt;</c>.</summary>
/// <param name="Name">The word in front of the brackets.</param>
/// <param name="Parts">What is in the brackets.</param>
/// <param name="IsNullable">Whether a question mark is behind it.</param>
internal sealed record Kind(string Name, IReadOnlyList<Kind> Parts, bool IsNullable)
{
    /// <summary>The number of the message that it is; -1 if it is none.</summary>
    public int Message => Name is ['#', .. var number] ? int.Parse(number, NumberStyles.None, CultureInfo.InvariantCulture) : -1;

    /// <summary>The bytes in the fixed block, or of an element; 0 if it is a variable.</summary>
    public int FixedSize => Parts.Count > 0 ? 0 : MemberSchema.FixedSizeOf(ToString());

    /// <summary>The same without the byte that says whether there is a value.</summary>
    public int ValueSize => FixedSize > 0 && IsNullable ? FixedSize - 1 : FixedSize;

    /// <summary>Whether it is a byte, so that a list of it is bytes.</summary>
    public bool IsByte => Name == "u8" && !IsNullable;

    /// <summary>Whether it is a struct that is copied as it lies in memory.</summary>
    public bool IsBlit => Name.StartsWith("blit", StringComparison.Ordinal);

    /// <summary>Its name; <c>bytes</c> for a list of bytes.</summary>
    public string Form => Name == "list" && Parts[0].IsByte ? "bytes" : Name;

    /// <summary>Whether every value of it is written as a JSON string, so that it can be the name of a member.</summary>
    public bool IsText => !IsNullable && Parts.Count == 0 && Name is "string" or "uri" or "culture" or "char" or "rune";

    /// <summary>As the schema has it.</summary>
    public override string ToString()
        => $"{Name}{(Parts.Count > 0 ? $"<{string.Join(',', Parts)}>" : "")}{(IsNullable ? "?" : "")}";
}
