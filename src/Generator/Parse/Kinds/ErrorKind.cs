namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A type that does not exist: the compiler reports it.</summary>
internal static class ErrorKind
{
    public static WireType? Classify(ITypeSymbol type, Rejection rejection) => type.TypeKind == TypeKind.Error ? rejection.Silent() : null;
}
