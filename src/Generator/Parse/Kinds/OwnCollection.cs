namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>Finds out how a user's collection class can be enumerated, constructed and filled.</summary>
internal sealed record OwnCollection
{
    private const string IDictionary = "System.Collections.Generic.IDictionary`2";
    private const string Remedy = "pack a List or a Dictionary instead, or name a packer for it with [PackWith]";

    /// <summary>Why unpacking cannot make the collection; null if it can.</summary>
    public string? Fault { get; private init; }

    public Container Container { get; private init; } = Containers.OwnCollection;

    /// <summary>The element's type; null for a dictionary.</summary>
    public ITypeSymbol? Item { get; private init; }

    /// <summary>The IDictionary that the class implements; null for any other collection.</summary>
    public INamedTypeSymbol? Dictionary { get; private init; }

    public bool TakesCapacity { get; private init; }

    /// <summary>The .NET class that it derives from, if one of its constructors takes that class's comparer.</summary>
    public INamedTypeSymbol? ComparerOf { get; private init; }

    /// <summary>Its settable members, which are not packed, with the class.</summary>
    public string Lost { get; private init; } = "";

    /// <summary>The collection; null for a type that does not enumerate elements of one type.</summary>
    public static OwnCollection? Of(INamedTypeSymbol type)
    {
        (INamedTypeSymbol? @base, Container? container) = BaseOf(type);
        var dictionaries = type.AllInterfaces.Where(contract => KnownTypes.Is(contract.OriginalDefinition, IDictionary)).ToList();
        ITypeSymbol? item = container is not null && @base is not null && dictionaries.Count == 0
            ? CollectionKind.ItemOf(@base, container)
            : Sequences.EnumeratedBy(type);
        if (item is null && dictionaries.Count == 0)
        {
            return Several(type);
        }

        INamedTypeSymbol? dictionary = dictionaries.FirstOrDefault();
        IMethodSymbol? add = FindAdd(type, dictionary is null ? [item!] : [.. dictionary.TypeArguments]);
        var lost = SettableMembers(type).ToList();
        string? fault = type.IsAbstract ? "it is abstract, use a class derived from it"
            : dictionaries.Count > 1 ? "it is a dictionary in more than one way"
            : dictionary is not null && type.IsValueType ? "it is a dictionary and a struct; make it a class"
            : container is { Build.Length: > 0 } ? $"it is read-only; {Remedy}"
            : add is null && container is null ? $"it has no public Add that takes {Taken(item, dictionary)}; {Remedy}"
            : FaultOfConstruction(type);
        return new OwnCollection
        {
            Fault = fault is null ? null : $"{TypeNames.Text(type)} is a collection that could not be made again: {fault}",
            Container = ContainerOf(type, container, add),
            Item = item,
            Dictionary = dictionary,
            TakesCapacity = !Constructors(type).Any(IsParameterless),
            ComparerOf = container is { HasComparer: true } && TakesComparer(type, @base!) ? @base : null,
            Lost = lost.Count == 0 ? "" : $"{string.Join(", ", lost)} of {TypeNames.Text(type)}",
        };
    }

    /// <summary>Whether a class is part of .NET: its settable members, such as the capacity, need not be packed.</summary>
    public static bool IsOfFramework(INamedTypeSymbol type)
        => Containers.Find(type) is not null || KnownTypes.Is(type.OriginalDefinition, KnownTypes.List)
        || TypeNames.Qualified(type).StartsWith("System.", StringComparison.Ordinal);

    private static OwnCollection? Several(INamedTypeSymbol type)
        => type.AllInterfaces.Any(Sequences.IsEnumerable)
            ? new OwnCollection { Fault = $"{TypeNames.Text(type)} has elements of more than one type; {Remedy}" }
            : null;

    private static (INamedTypeSymbol? Base, Container? Container) BaseOf(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? above = type.BaseType; above is not null; above = above.BaseType)
        {
            if (Containers.Find(above) is { } container)
            {
                return (above, container);
            }
        }

        return (null, null);
    }

    private static Container ContainerOf(INamedTypeSymbol type, Container? @base, IMethodSymbol? add)
        => @base ?? (KnownTypes.Is(add?.ContainingType.OriginalDefinition, KnownTypes.List) ? Containers.OwnList
            : !type.IsValueType && type.AllInterfaces.Any(IsCollection) ? Containers.OwnCollection
            : Containers.OwnSequence);

    private static bool IsCollection(INamedTypeSymbol contract)
        => contract.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_ICollection_T;

    private static IMethodSymbol? FindAdd(INamedTypeSymbol type, IReadOnlyList<ITypeSymbol> parameters)
    {
        for (INamedTypeSymbol? declaring = type; declaring is not null; declaring = declaring.BaseType)
        {
            foreach (IMethodSymbol method in declaring.GetMembers("Add").OfType<IMethodSymbol>())
            {
                if (method is { IsStatic: false, DeclaredAccessibility: Accessibility.Public, IsGenericMethod: false }
                    && method.Parameters.Select(parameter => parameter.Type).SequenceEqual(parameters, SymbolEqualityComparer.Default))
                {
                    return method;
                }
            }
        }

        return null;
    }

    private static string Taken(ITypeSymbol? item, INamedTypeSymbol? dictionary)
        => dictionary is null
            ? $"'{TypeNames.Text(item!)}'"
            : string.Join(" and ", dictionary.TypeArguments.Select(argument => $"'{TypeNames.Text(argument)}'"));

    private static string? FaultOfConstruction(INamedTypeSymbol type)
    {
        var constructors = Constructors(type).ToList();
        if (constructors.Count == 0)
        {
            return $"it has no public constructor without parameters; give it one, or {Remedy}";
        }

        // A constructor call in generated code would have to set the required members.
        bool isRequired = Members(type).Any(member => member is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true });
        return isRequired && !constructors.Exists(constructor => KnownTypes.Has(constructor, KnownTypes.SetsRequiredMembers))
            ? $"it has required members; {Remedy}"
            : null;
    }

    private static IEnumerable<IMethodSymbol> Constructors(INamedTypeSymbol type)
        => type.InstanceConstructors.Where(
            constructor => constructor.DeclaredAccessibility == Accessibility.Public
                && (IsParameterless(constructor) || IsOfCapacity(constructor)));

    private static bool IsParameterless(IMethodSymbol constructor)
        => constructor.Parameters.All(parameter => parameter.HasExplicitDefaultValue || parameter.IsParams);

    private static bool TakesComparer(INamedTypeSymbol type, INamedTypeSymbol @base)
        => @base.GetMembers("Comparer") is [IPropertySymbol { Type: var comparer }]
        && type.InstanceConstructors.Any(constructor => constructor.DeclaredAccessibility == Accessibility.Public
            && SymbolEqualityComparer.Default.Equals(constructor.Parameters.FirstOrDefault()?.Type, comparer)
            && constructor.Parameters.Skip(1).All(other => other.HasExplicitDefaultValue || other.IsParams));

    private static bool IsOfCapacity(IMethodSymbol constructor)
        => constructor.Parameters is [{ Type.SpecialType: SpecialType.System_Int32 } parameter]
        && parameter.Name.EndsWith("apacity", StringComparison.Ordinal);

    private static IEnumerable<string> SettableMembers(INamedTypeSymbol type)
        => from member in Members(type)
           where member is { IsStatic: false, DeclaredAccessibility: Accessibility.Public }
               && !KnownTypes.Has(member, KnownTypes.PackIgnore)
           where member is IFieldSymbol { IsReadOnly: false, IsImplicitlyDeclared: false }
               or IPropertySymbol
           {
               IsIndexer: false,
               IsOverride: false,
               GetMethod: not null,
               SetMethod.DeclaredAccessibility: Accessibility.Public,
           }
           select member.Name;

    private static IEnumerable<ISymbol> Members(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? declaring = type; declaring is not null && !IsOfFramework(declaring); declaring = declaring.BaseType)
        {
            foreach (ISymbol member in declaring.GetMembers())
            {
                yield return member;
            }
        }
    }
}
