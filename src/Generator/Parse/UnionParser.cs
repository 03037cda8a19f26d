using BlitQueue.Generator.Diagnose;
using BlitQueue.Generator.Parse.Kinds;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse;

/// <summary>Makes the model of an interface or abstract class with [PackUnion].</summary>
internal static class UnionParser
{
    public static bool IsUnion(INamedTypeSymbol type)
        => (type.TypeKind == TypeKind.Interface || type.IsAbstract) && KnownTypes.Has(type, KnownTypes.PackUnion);

    /// <summary>The cases that a union lists.</summary>
    public static IEnumerable<INamedTypeSymbol> CasesOf(INamedTypeSymbol type)
        => type.TypeKind == TypeKind.Interface ? [] : type.GetAttributes()
            .Where(attribute => KnownTypes.Is(attribute.AttributeClass, KnownTypes.PackUnion))
            .Select(
                attribute => attribute.ConstructorArguments.Length > 1 ? attribute.ConstructorArguments[1].Value as INamedTypeSymbol : null)
            .OfType<INamedTypeSymbol>();

    /// <summary>Parses a union. Its own members are not looked at: each case packs its members, inherited ones included.</summary>
    public static MessageModel? Parse(INamedTypeSymbol type, Compilation compilation, DiagnosticBag diagnostics)
    {
        IReadOnlyList<CaseModel> cases = FindCases(type, type, compilation, diagnostics);
        return !HeaderParser.CanContainCode(type) ? null : Model(type, cases, diagnostics) with
        {
            IsInterface = type.TypeKind == TypeKind.Interface,
            View = ViewFinder.Find(type),
            HidesBaseView = ViewFinder.HidesBaseView(type),
        };
    }

    /// <summary>The model of the type that lists the cases: the union, or a packer for it.</summary>
    public static MessageModel Model(INamedTypeSymbol marked, IReadOnlyList<CaseModel> cases, DiagnosticBag diagnostics)
    {
        return new MessageModel
        {
            Header = HeaderParser.Parse(marked),
            IsStruct = false,
            IsUnion = true,
            Cases = new EquatableArray<CaseModel>(diagnostics.Any ? [] : cases.OrderBy(found => found.Tag)),
            CanBeDerived = true,
            IsRefused = diagnostics.Any,
            Creation = new Creation { FillsInPlace = false },
            Clashes = ClashFinder.Find(marked),
            StringsAreUtf16 = false,
            RunsUserCode = false,
        };
    }

    /// <summary>All listed types, also those that cannot be cases.</summary>
    public static IEnumerable<ITypeSymbol> CaseTypes(INamedTypeSymbol union, Compilation compilation)
        => union.GetAttributes()
            .Where(attribute => KnownTypes.Is(attribute.AttributeClass, KnownTypes.PackUnion))
            .Select(
                attribute => attribute.ConstructorArguments is [_, { Value: ITypeSymbol type }] ? OfUnion(type, union, compilation) : null)
            .OfType<ITypeSymbol>();

    /// <summary>The cases in the attributes of a union, or of a packer for it.</summary>
    public static IReadOnlyList<CaseModel> FindCases(
        INamedTypeSymbol marked, INamedTypeSymbol union, Compilation compilation, DiagnosticBag diagnostics)
    {
        List<CaseModel> cases = [];
        Dictionary<int, ITypeSymbol> tags = [];
        HashSet<ITypeSymbol> types = new(SymbolEqualityComparer.Default);
        foreach (AttributeData attribute in marked.GetAttributes())
        {
            // The compiler reports arguments that do not fit the attribute's parameters.
            if (!KnownTypes.Is(attribute.AttributeClass, KnownTypes.PackUnion)
                || attribute.ConstructorArguments is not [{ Value: ushort tag }, { Value: ITypeSymbol named }])
            {
                continue;
            }

            ITypeSymbol type = OfUnion(named, union, compilation);

            if (tags.TryGetValue(tag, out ITypeSymbol? other))
            {
                Refuse(union, type, attribute, argument: 0, $"{TypeNames.Text(other)} has the tag {tag} already", diagnostics);
            }
            else
            {
                tags.Add(tag, type);
            }

            if (!types.Add(type))
            {
                Refuse(union, type, attribute, argument: 1, "it is listed already", diagnostics);
            }
            else if (Fault(marked, union, type, compilation) is { } fault)
            {
                Refuse(union, type, attribute, argument: 1, fault, diagnostics);
            }
            else if (MessageKind.Classify(type, new Rejection(NamedPackers.None(compilation))) is { } message)
            {
                cases.Add(
                    new CaseModel(tag, message, ClosedUnion((INamedTypeSymbol)type, union), type.IsSealed, ViewFinder.AccessOf(type)));
            }
            else
            {
                diagnostics.AddSilent();
            }
        }

        return cases;
    }

    // typeof(Leaf<>) stands for Leaf<T> in ITree<T>, because an attribute cannot name the type parameter, and for Leaf<int> in ITree<int>.
    private static ITypeSymbol OfUnion(ITypeSymbol type, INamedTypeSymbol union, Compilation compilation)
    {
        if (type is not INamedTypeSymbol { IsUnboundGenericType: true, OriginalDefinition: var definition })
        {
            return type;
        }

        Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments = new(SymbolEqualityComparer.Default);
        Dictionary<ITypeParameterSymbol, ITypeSymbol> ofUnion = Substitution.ArgumentsOf(union);
        foreach (INamedTypeSymbol? above in Above(definition)
            .Where(above => SymbolEqualityComparer.Default.Equals(above.OriginalDefinition, union.OriginalDefinition)))
        {
            foreach (KeyValuePair<ITypeParameterSymbol, ITypeSymbol> pair in Substitution.ArgumentsOf(above))
            {
                if (pair.Value is ITypeParameterSymbol parameter)
                {
                    arguments[parameter] = ofUnion[pair.Key];
                }
            }
        }

        IEnumerable<ITypeParameterSymbol> parameters = HeaderParser.TypeParameterSymbols(definition);
        return parameters.All(arguments.ContainsKey) ? new Substitution(compilation, arguments).In(definition) : type;
    }

    private static IEnumerable<INamedTypeSymbol> Above(INamedTypeSymbol type)
        => BaseTypes.BasesFirst(type).Concat(type.AllInterfaces);

    private static string? Fault(INamedTypeSymbol marked, INamedTypeSymbol union, ITypeSymbol type, Compilation compilation)
    {
        if (type.TypeKind == TypeKind.Error)
        {
            return null;
        }

        if (type is INamedTypeSymbol { IsUnboundGenericType: true } open
            && FormsOf(union.OriginalDefinition, open.OriginalDefinition).Count > 0)
        {
            return "its type parameters do not follow from those of the union";
        }

        if (type is not INamedTypeSymbol { IsUnboundGenericType: false } named || FormsOf(union, named).Count == 0)
        {
            return union.TypeKind == TypeKind.Interface ? "it does not implement the interface" : "it does not derive from the class";
        }

        if (named.IsAbstract || named.TypeKind == TypeKind.Interface)
        {
            return "it has no instances; list what derives from it";
        }

        if (!compilation.IsSymbolAccessibleWithin(named, marked))
        {
            return "it is out of the union's reach";
        }

        bool isMessage = KnownTypes.Has(named.OriginalDefinition, KnownTypes.QueueMessage) || KnownTypes.ImplementsPackable(named);
        return isMessage ? null : "it is not marked [QueueMessage]";
    }

    // The union itself; for a generic definition, all its closed forms of which the type is a case.
    private static List<INamedTypeSymbol> FormsOf(INamedTypeSymbol union, INamedTypeSymbol type)
        => [.. Above(type).Where(above => !SymbolEqualityComparer.Default.Equals(above, type) && IsFormOf(union, above))];

    private static bool IsFormOf(INamedTypeSymbol union, INamedTypeSymbol type)
        => SymbolEqualityComparer.Default.Equals(type, union) || SymbolEqualityComparer.Default.Equals(type.OriginalDefinition, union);

    private static string ClosedUnion(INamedTypeSymbol type, INamedTypeSymbol union)
        => FormsOf(union, type) is var forms && forms.Contains(union, SymbolEqualityComparer.Default) ? "" : TypeNames.Code(forms[0]);

    private static void Refuse(
        INamedTypeSymbol union, ITypeSymbol type, AttributeData attribute, int argument, string reason, DiagnosticBag diagnostics)
        => diagnostics.Add(Descriptors.UnusableCase, At(attribute, argument), TypeNames.Text(type), TypeNames.Text(union), reason);

    private static Location? At(AttributeData attribute, int argument)
        => attribute.ApplicationSyntaxReference?.GetSyntax() is AttributeSyntax { ArgumentList.Arguments: { Count: > 1 } arguments } syntax
            ? (Named(arguments, argument == 0 ? "tag" : "type") ?? arguments[argument]).Expression.GetLocation()
            : attribute.ApplicationSyntaxReference?.GetSyntax().GetLocation();

    private static AttributeArgumentSyntax? Named(SeparatedSyntaxList<AttributeArgumentSyntax> arguments, string name)
        => arguments.FirstOrDefault(argument => argument.NameColon?.Name.Identifier.ValueText == name);
}
