using BlitQueue.Generator.Diagnose;
using BlitQueue.Generator.Model;
using BlitQueue.Generator.Parse.Kinds;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse;

/// <summary>From an interface or abstract class with [PackUnion] to its model.</summary>
internal static class UnionParser
{
    public static bool IsUnion(INamedTypeSymbol type)
        => (type.TypeKind == TypeKind.Interface || type.IsAbstract) && KnownTypes.Has(type, KnownTypes.PackUnion);

    /// <summary>The types that a class lists as its cases.</summary>
    public static IEnumerable<INamedTypeSymbol> CasesOf(INamedTypeSymbol type)
        => type.TypeKind == TypeKind.Interface ? [] : type.GetAttributes()
            .Where(attribute => KnownTypes.Is(attribute.AttributeClass, KnownTypes.PackUnion))
            .Select(attribute => attribute.ConstructorArguments.Length > 1 ? attribute.ConstructorArguments[1].Value as INamedTypeSymbol : null)
            .OfType<INamedTypeSymbol>();

    /// <summary>Members are no business of the union's: each case packs its own, inherited ones included.</summary>
    public static MessageModel? Parse(INamedTypeSymbol type, Compilation compilation, Findings findings)
    {
        var cases = FindCases(type, type, compilation, findings);
        return !HeaderParser.CanHoldCode(type) ? null : Model(type, cases, findings) with
        {
            IsInterface = type.TypeKind == TypeKind.Interface,
            View = ViewFinder.Find(type),
            HidesBaseView = ViewFinder.HidesBaseView(type),
        };
    }

    /// <summary>What is generated into the type that lists the cases.</summary>
    public static MessageModel Model(INamedTypeSymbol holder, IReadOnlyList<CaseModel> cases, Findings findings)
    {
        return new MessageModel
        {
            Header = HeaderParser.Parse(holder),
            IsStruct = false,
            IsUnion = true,
            Cases = new EquatableArray<CaseModel>(findings.Any ? [] : cases.OrderBy(found => found.Tag)),
            CanBeDerived = true,
            IsRefused = findings.Any,
            Members = EquatableArray<MemberModel>.Empty,
            FixedLength = 0,
            VariableCount = 0,
            Creation = new Creation
            {
                FillsInPlace = false,
                FillsGiven = false,
                Arguments = EquatableArray<int>.Empty,
                Defaulted = EquatableArray<string>.Empty,
            },
            Clashes = ClashFinder.Find(holder),
            StringsAreUtf16 = false,
            Callbacks = EquatableArray<CallbackModel>.Empty,
            RunsUserCode = false,
        };
    }

    /// <summary>The cases of a union that are listed on it, or on a packer for it.</summary>
    public static IReadOnlyList<CaseModel> FindCases(INamedTypeSymbol holder, INamedTypeSymbol union, Compilation compilation, Findings findings)
    {
        List<CaseModel> cases = [];
        Dictionary<int, ITypeSymbol> tags = [];
        HashSet<ITypeSymbol> types = new(SymbolEqualityComparer.Default);
        foreach (var attribute in holder.GetAttributes())
        {
            // What does not fit the attribute's parameters is the compiler's to say.
            if (!KnownTypes.Is(attribute.AttributeClass, KnownTypes.PackUnion)
                || attribute.ConstructorArguments is not [{ Value: ushort tag }, { Value: ITypeSymbol type }])
                continue;

            if (tags.TryGetValue(tag, out var other))
                Refuse(union, type, attribute, argument: 0, $"{TypeNames.Text(other)} has the tag {tag} already", findings);
            else
                tags.Add(tag, type);

            if (!types.Add(type))
                Refuse(union, type, attribute, argument: 1, "it is listed already", findings);
            else if (Fault(holder, union, type, compilation) is { } fault)
                Refuse(union, type, attribute, argument: 1, fault, findings);
            else if (MessageKind.Classify(type, new Refusal()) is { } message)
                cases.Add(new CaseModel(tag, message, type.IsSealed, ViewFinder.AccessOf(type)));
            else
                findings.AddSilent();
        }

        return cases;
    }

    private static string? Fault(INamedTypeSymbol holder, INamedTypeSymbol union, ITypeSymbol type, Compilation compilation)
    {
        if (type.TypeKind == TypeKind.Error)
            return null;
        if (type is not INamedTypeSymbol { IsUnboundGenericType: false } named || !IsBelow(named, union))
            return union.TypeKind == TypeKind.Interface ? "it does not implement the interface" : "it does not derive from the class";
        if (named.IsAbstract || named.TypeKind == TypeKind.Interface)
            return "it has no instances; list what derives from it";
        if (!compilation.IsSymbolAccessibleWithin(named, holder))
            return "it is out of the union's reach";

        var isMessage = KnownTypes.Has(named.OriginalDefinition, KnownTypes.QueueMessage) || KnownTypes.ImplementsPackable(named);
        return isMessage ? null : "it is not marked [QueueMessage]";
    }

    private static bool IsBelow(INamedTypeSymbol type, INamedTypeSymbol union)
    {
        if (union.TypeKind == TypeKind.Interface)
            return type.AllInterfaces.Contains(union, SymbolEqualityComparer.Default);

        for (var above = type.BaseType; above is not null; above = above.BaseType)
        {
            if (SymbolEqualityComparer.Default.Equals(above, union))
                return true;
        }

        return false;
    }

    private static void Refuse(INamedTypeSymbol union, ITypeSymbol type, AttributeData attribute, int argument, string reason, Findings findings)
        => findings.Add(Descriptors.UnusableCase, At(attribute, argument), TypeNames.Text(type), TypeNames.Text(union), reason);

    private static Location? At(AttributeData attribute, int argument)
        => attribute.ApplicationSyntaxReference?.GetSyntax() is AttributeSyntax { ArgumentList.Arguments: { Count: > 1 } arguments } syntax
            ? (Named(arguments, argument == 0 ? "tag" : "type") ?? arguments[argument]).Expression.GetLocation()
            : attribute.ApplicationSyntaxReference?.GetSyntax().GetLocation();

    private static AttributeArgumentSyntax? Named(SeparatedSyntaxList<AttributeArgumentSyntax> arguments, string name)
        => arguments.FirstOrDefault(argument => argument.NameColon?.Name.Identifier.ValueText == name);
}
