namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>string.</summary>
internal static class StringKind
{
    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
        => type.SpecialType == SpecialType.System_String
            ? new WireType { Kind = WireKind.String, Name = "string", Word = "String", Schema = "string" }
            : null;
}
