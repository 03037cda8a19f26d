using BlitQueue.Generator.Model;
using BlitQueue.Generator.Parse.Arguments;
using BlitQueue.Generator.Parse.Kinds;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Parse;

/// <summary>
/// The packers that a project names with [assembly: PackWith]; meant for types of other assemblies, in all members.
/// </summary>
internal sealed class NamedPackers
{
    private readonly List<(ITypeSymbol Type, INamedTypeSymbol Packer)> _packers;
    private readonly Compilation _compilation;

    private NamedPackers(List<(ITypeSymbol, INamedTypeSymbol)> packers, Compilation compilation)
    {
        _packers = packers;
        _compilation = compilation;
    }

    /// <summary>No packers.</summary>
    public static NamedPackers None(Compilation compilation) => new([], compilation);

    /// <summary>The packers of a project.</summary>
    public static NamedPackers Of(Compilation compilation)
    {
        List<(ITypeSymbol, INamedTypeSymbol)> packers = [];
        foreach (AttributeData attribute in Attributes(compilation.Assembly))
        {
            if (Read(attribute, compilation) is { } named)
            {
                packers.Add(named);
            }
        }

        // Packers for one closed type first: they take precedence over those for a generic definition, whatever the order of the
        // attributes.
        return new NamedPackers([.. packers.OrderBy(static named => IsDefinition(named.Item1))], compilation);
    }

    /// <summary>The attributes with which a project names packers.</summary>
    public static IEnumerable<AttributeData> Attributes(IAssemblySymbol assembly)
        => assembly.GetAttributes().Where(attribute => KnownTypes.Is(attribute.AttributeClass, KnownTypes.PackWith));

    /// <summary>What is wrong with one attribute, and the type it is for; null if nothing is.</summary>
    public static (ITypeSymbol Type, string Fault)? FaultIn(AttributeData attribute, Compilation compilation)
    {
        if (attribute.ConstructorArguments is [{ Value: ITypeSymbol alone }])
        {
            return (alone, "[assembly: PackWith] names a type and its packer, and there is one alone");
        }

        if (Read(attribute, compilation) is not { } named)
        {
            return null;
        }

        (ITypeSymbol type, INamedTypeSymbol packer) = named;
        string? fault = KindOf(type)
            ?? CustomKind.FaultOf(type, packer)
            ?? HiddenFrom(packer, compilation)
            ?? (IsFirst(attribute, type, compilation) ? null : "a packer is named for it already");
        return fault is null ? null : (type, fault);
    }

    /// <summary>The kind of a type for which the project names a packer; null if it names none, or one that cannot be used.</summary>
    /// <param name="type">The type.</param>
    /// <param name="rejection">Gets the reason if this type breaks the constraints of a packer that is named for its definition.</param>
    public WireType? Find(ITypeSymbol type, Rejection rejection)
    {
        foreach ((ITypeSymbol named, INamedTypeSymbol packer) in _packers)
        {
            bool isOpen = type is INamedTypeSymbol { IsGenericType: true } && IsSame(named, type.OriginalDefinition);
            if ((isOpen || IsSame(named, type)) && KindOf(named) is null && CustomKind.FaultOf(named, packer) is null)
            {
                return isOpen ? OfClosed(packer, (INamedTypeSymbol)type, rejection) : CustomKind.Of(type, packer);
            }
        }

        return null;
    }

    private WireType? OfClosed(INamedTypeSymbol packer, INamedTypeSymbol type, Rejection rejection)
    {
        INamedTypeSymbol closed = Closed(packer, type, _compilation);
        return Constraints.Broken(closed, _compilation) is { } broken
            ? rejection.UnusablePacker($"{broken} cannot stand for a type parameter of {TypeNames.Text(packer)}: a constraint forbids it")
            : CustomKind.Of(type, closed);
    }

    private static bool IsDefinition(ITypeSymbol type) =>
        type is INamedTypeSymbol { IsGenericType: true } named && IsSame(named, named.OriginalDefinition);

    private static INamedTypeSymbol Closed(INamedTypeSymbol packer, INamedTypeSymbol type, Compilation compilation)
    {
        IEnumerable<ITypeParameterSymbol> parameters = WithOuter(packer.OriginalDefinition).SelectMany(static part => part.TypeParameters);
        IEnumerable<ITypeSymbol> arguments = WithOuter(type).SelectMany(static part => part.TypeArguments);
        Dictionary<ITypeParameterSymbol, ITypeSymbol> given = new(SymbolEqualityComparer.Default);
        foreach ((ITypeParameterSymbol parameter, ITypeSymbol argument) in parameters.Zip(arguments, static (one, other) => (one, other)))
        {
            given.Add(parameter, argument);
        }

        return new Substitution(compilation, given).In(packer.OriginalDefinition);
    }

    private static int Arity(INamedTypeSymbol type) => WithOuter(type).Sum(static part => part.Arity);

    // The types around a type, outermost first, and the type itself.
    private static IEnumerable<INamedTypeSymbol> WithOuter(INamedTypeSymbol type)
        => type.ContainingType is { } outer ? WithOuter(outer).Append(type) : [type];

    // For typeof(Range<>) and typeof(RangePacker<>): the packer closed with the type's own type parameters.
    private static (ITypeSymbol, INamedTypeSymbol)? Read(AttributeData attribute, Compilation compilation)
    {
        if (attribute.ConstructorArguments is not [{ Value: ITypeSymbol type }, { Value: INamedTypeSymbol packer }]
            || type.TypeKind == TypeKind.Error || packer.TypeKind == TypeKind.Error)
        {
            return null;
        }

        if (type is not INamedTypeSymbol { IsUnboundGenericType: true, OriginalDefinition: var definition })
        {
            return (type, packer);
        }

        bool isOpen = packer.IsUnboundGenericType && Arity(packer) == Arity(definition);
        return (definition, isOpen ? Closed(packer, definition, compilation) : packer);
    }

    // Types that are packed without a packer, and for which no packer may be named, so that most types need no look-up.
    private static string? KindOf(ITypeSymbol type)
        => IsMessage(type)
            ? "it is a message, and packed as what it is; name another packer for it at the member, with [PackWith]"
        : type.SpecialType != SpecialType.None || type.TypeKind is TypeKind.Array or TypeKind.Enum || KnownValues.Find(type) is not null
            ? "it is packed as what it is; name another packer for it at the member, with [PackWith]"
        : null;

    private static bool IsMessage(ITypeSymbol type) => type is INamedTypeSymbol named
        && (KnownTypes.Has(named.OriginalDefinition, KnownTypes.QueueMessage) || KnownTypes.ImplementsPackable(named));

    private static string? HiddenFrom(INamedTypeSymbol packer, Compilation compilation)
        => Visibility.IsOpenToAll(packer.OriginalDefinition, compilation)
            ? null
            : $"{TypeNames.Text(packer)} cannot be named by all messages; make it an internal class of its own";

    private static bool IsSame(ITypeSymbol one, ITypeSymbol other) => SymbolEqualityComparer.Default.Equals(one, other);

    private static bool IsFirst(AttributeData attribute, ITypeSymbol type, Compilation compilation)
    {
        AttributeData first = Attributes(compilation.Assembly)
            .First(other => Read(other, compilation) is ({ } named, _) && IsSame(named, type));
        return first.ApplicationSyntaxReference?.Span == attribute.ApplicationSyntaxReference?.Span
            && first.ApplicationSyntaxReference?.SyntaxTree == attribute.ApplicationSyntaxReference?.SyntaxTree;
    }
}
