using BlitQueue.Generator.Diagnose;

namespace BlitQueue.Generator.Parse;

/// <summary>Finds the fields and properties that are packed: those of base classes first, in the order of their declaration.</summary>
internal sealed class MemberFinder
{
    private readonly INamedTypeSymbol _message;
    private readonly Compilation _compilation;
    private readonly DiagnosticBag _diagnostics;
    private readonly List<FoundMember> _found = [];

    private ISymbol? _elements;

    // The names of one class's members that are decided: packed, ignored, or reported.
    private readonly HashSet<string> _settled = [];

    private MemberFinder(INamedTypeSymbol message, Compilation compilation, DiagnosticBag diagnostics)
    {
        _message = message;
        _compilation = compilation;
        _diagnostics = diagnostics;
    }

    public static IReadOnlyList<FoundMember> Find(INamedTypeSymbol message, Compilation compilation, DiagnosticBag diagnostics)
    {
        var finder = new MemberFinder(message, compilation, diagnostics);
        finder.FindElements();
        foreach (INamedTypeSymbol type in BaseTypes.BasesFirst(message))
        {
            finder._settled.Clear();
            foreach (ISymbol member in type.GetMembers())
            {
                finder.Consider(member);
            }

            if (!SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly))
            {
                finder.CheckReach(type);
            }
        }

        return finder._found;
    }

    // The only field of an inline array stands for all elements, and is packed even if it is private.
    private void FindElements()
    {
        if (InlineArrays.LengthOf(_message) == 0)
        {
            return;
        }

        IFieldSymbol? field = _message.GetMembers().OfType<IFieldSymbol>().FirstOrDefault(field => !field.IsStatic);
        _elements = field?.AssociatedSymbol ?? field;
        if (_elements is not null && !KnownTypes.Has(_elements, KnownTypes.PackIgnore))
        {
            _found.Add(FromField(field!) with { Symbol = _elements, Type = _message, Element = field!.Type });
        }
    }

    private void Consider(ISymbol member)
    {
        if (SymbolEqualityComparer.Default.Equals(member, _elements))
        {
            return;
        }

        // The base class's declaration was found already.
        if (member.IsOverride)
        {
            return;
        }

        if (!member.CanBeReferencedByName)
        {
            CheckNameless(member);
            return;
        }

        ISymbol actual = member is IPropertySymbol property ? MostDerived(property) : member;
        if (KnownTypes.Has(member, KnownTypes.PackIgnore) || KnownTypes.Has(actual, KnownTypes.PackIgnore))
        {
            _settled.Add(member.Name);
            return;
        }

        bool isIncluded = KnownTypes.Has(member, KnownTypes.PackInclude) || KnownTypes.Has(actual, KnownTypes.PackInclude);
        if (member.DeclaredAccessibility != Accessibility.Public && !isIncluded)
        {
            CheckHidden(member);
            return;
        }

        FoundMember? found = member switch
        {
            IFieldSymbol { IsStatic: false, IsImplicitlyDeclared: false } field => FromField(field),
            IPropertySymbol { IsStatic: false, IsIndexer: false, RefKind: RefKind.None, GetMethod: not null } declared
                => FromProperty(declared, (IPropertySymbol)actual, isIncluded),
            IPropertySymbol { IsStatic: false, IsIndexer: false, RefKind: RefKind.Ref } reference when isIncluded
                => FromReference(reference),
            _ => null,
        };
        if (found is not null && IsUsable(found))
        {
            _found.Add(found);
            _settled.Add(member.Name);
        }
        else if (found is null && isIncluded)
        {
            Refuse(member, member, "it has no value of an instance that could be read");
        }
    }

    // Reports members of a class in another assembly that the compiler does not show.
    private void CheckReach(INamedTypeSymbol type)
    {
        string owner = $"{TypeNames.Text(type)}, which stands in another assembly";
        foreach (string? name in OutOfReach.Names(type).Where(_settled.Add))
        {
            Refuse(name, $"it is out of reach in {owner}; make it public or protected there");
        }

        foreach (IPropertySymbol? property in type.GetMembers().OfType<IPropertySymbol>().Where(OutOfReach.MayHideGetter)
            .Where(property => _settled.Add(property.Name)))
        {
            Refuse(
                property.Name,
                $"it cannot be told whether it stores a value in {owner}; mark it [PackIgnore] there, or make its getter public");
        }
    }

    // Reports attributes on members that cannot be packed: explicit implementations, backing fields of properties, indexers.
    private void CheckNameless(ISymbol member)
    {
        if (MarkOf(member, KnownTypes.PackInclude, KnownTypes.PackOrder, KnownTypes.PackWith) is not { } mark)
        {
            return;
        }

        if (member is IFieldSymbol { AssociatedSymbol: { } owner })
        {
            Refuse(owner, owner, $"its [{KnownTypes.Short(mark)}] is on the field behind it; mark the property itself");
        }
        else if (member is IPropertySymbol { ExplicitInterfaceImplementations.IsEmpty: false })
        {
            Refuse(
                member, member,
                "it implements an interface explicitly, and so has no name of its own; mark the property or field that stores its value");
        }
        else
        {
            Refuse(member, member, "it has no value of an instance that could be read");
        }
    }

    private void CheckHidden(ISymbol member)
    {
        if (MarkOf(member, KnownTypes.PackOrder, KnownTypes.PackWith) is { } lost)
        {
            Refuse(member, member, $"it has [{KnownTypes.Short(lost)}] but is not public; mark it [PackInclude] as well");
        }
    }

    private static string? MarkOf(ISymbol member, params string[] attributes)
        => attributes.FirstOrDefault(attribute => KnownTypes.Has(member, attribute));

    private static FoundMember FromField(IFieldSymbol field) => new()
    {
        Symbol = field,
        Type = field.Type,
        CanSet = !field.IsReadOnly,
        IsInitOnly = false,
        IsRequired = field.IsRequired,
        GetterHasBody = false,
        GetsWhatWasSet = true,
        SetterHasBody = false,
    };

    // A property that returns a ref: packed only with [PackInclude], because the value may be anywhere; set by assignment.
    private static FoundMember FromReference(IPropertySymbol property) => new()
    {
        Symbol = property,
        Type = property.Type,
        CanSet = true,
        IsInitOnly = false,
        IsRequired = false,
        GetterHasBody = true,
        GetsWhatWasSet = true,
        SetterHasBody = true,
    };

    private FoundMember? FromProperty(IPropertySymbol declared, IPropertySymbol actual, bool isIncluded)
    {
        IMethodSymbol getter = declared.GetMethod!;
        if (!isIncluded && getter.DeclaredAccessibility != Accessibility.Public)
        {
            Refuse(declared, declared, "its getter is not public; mark it [PackInclude] to pack it, or [PackIgnore] to leave it out");
            return null;
        }

        // A get-only property without storage computes its value, which needs no packing.
        IMethodSymbol? setter = declared.SetMethod;
        if (setter is null && !isIncluded && !AutoProperties.HasStorage(actual))
        {
            return null;
        }

        return new FoundMember
        {
            Symbol = declared,
            Type = declared.Type,
            CanSet = setter is not null && _compilation.IsSymbolAccessibleWithin(setter, _message, _message),
            IsInitOnly = setter is { IsInitOnly: true },
            IsRequired = declared.IsRequired,
            GetterHasBody = AutoProperties.HasGetterBody(actual),
            GetsWhatWasSet = AutoProperties.GetsWhatWasSet(actual),
            SetterHasBody = AutoProperties.HasSetterBody(actual),
        };
    }

    private bool IsUsable(FoundMember member)
    {
        string owner = TypeNames.Text(member.Symbol.ContainingType);
        if (!_compilation.IsSymbolAccessibleWithin(ReadAccess(member.Symbol), _message, _message))
        {
            Refuse(member.Symbol, member.Symbol, $"it is out of reach in {owner}");
        }
        else if (HiddenBy(member.Symbol) is { } hiding)
        {
            Refuse(
                member.Symbol, hiding,
                $"{TypeNames.Text(hiding.ContainingType)} hides that of {owner}, and members are known by their names");
        }
        else
        {
            return true;
        }

        return false;
    }

    private void Refuse(ISymbol member, ISymbol at, string reason)
    {
        _settled.Add(member.Name);
        _diagnostics.Add(Descriptors.UnusableMember, Locations.In(_message, at), member.Name, reason);
    }

    private void Refuse(string member, string reason)
        => _diagnostics.Add(Descriptors.UnusableMember, HeaderParser.Declaration(_message)?.Identifier.GetLocation(), member, reason);

    private ISymbol? HiddenBy(ISymbol member)
    {
        for (INamedTypeSymbol type = _message; !SymbolEqualityComparer.Default.Equals(type, member.ContainingType); type = type.BaseType!)
        {
            if (type.GetMembers(member.Name).FirstOrDefault(other => !other.IsOverride) is { } hiding)
            {
                return hiding;
            }
        }

        return null;
    }

    private static ISymbol ReadAccess(ISymbol member) => member is IPropertySymbol property ? property.GetMethod! : member;

    private IPropertySymbol MostDerived(IPropertySymbol property)
    {
        if (!property.IsVirtual && !property.IsAbstract)
        {
            return property;
        }

        for (INamedTypeSymbol? type = _message; type is not null; type = type.BaseType)
        {
            foreach (IPropertySymbol candidate in type.GetMembers(property.Name).OfType<IPropertySymbol>())
            {
                for (IPropertySymbol? overridden = candidate; overridden is not null; overridden = overridden.OverriddenProperty)
                {
                    if (SymbolEqualityComparer.Default.Equals(overridden, property))
                    {
                        return candidate;
                    }
                }
            }
        }

        return property;
    }
}
