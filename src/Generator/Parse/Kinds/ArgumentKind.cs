namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A type parameter: a message if its constraint says so; else its packer is found when the code runs.</summary>
internal static class ArgumentKind
{
    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (type is not ITypeParameterSymbol parameter)
        {
            return null;
        }

        string name = TypeNames.Code(parameter);
        return new WireType
        {
            Kind = !IsMessage(parameter) ? WireKind.Argument : parameter.IsValueType ? WireKind.StructMessage : WireKind.Message,
            Name = name,
            Word = parameter.Name,
            IsValueType = parameter.IsValueType,
            IsParameter = true,

            // A struct needs no null check before the call.
            IsDirect = parameter.IsValueType,
        };
    }

    /// <summary>Whether a constraint says that the type is a message: <c>where T : IPackable&lt;T&gt;</c>.</summary>
    public static bool IsMessage(ITypeParameterSymbol parameter)
        => parameter.ConstraintTypes.OfType<INamedTypeSymbol>()
            .SelectMany(constraint => constraint.AllInterfaces.Append(constraint))
            .Any(contract => KnownTypes.Is(contract.OriginalDefinition, KnownTypes.IPackable)
                && SymbolEqualityComparer.Default.Equals(contract.TypeArguments[0], parameter));
}
