using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>
/// Finds the type arguments of all generic messages in a project: starts at each closed form in the source, and follows generic types,
/// generic methods and the members of messages to further closed forms.
/// </summary>
internal static class ArgumentFinder
{
    public static ArgumentsModel Find(Compilation compilation, CancellationToken cancellation)
    {
        HashSet<string> names = GenericMessages.Names(compilation, cancellation);
        if (names.Count == 0)
        {
            return ArgumentsModel.None;
        }

        var uses = compilation.SyntaxTrees.Select(tree => (Tree: tree, SourceNames.Of(tree, cancellation).Uses)).ToList();
        AddCarriers(names, uses.ConvertAll(file => file.Uses));

        var closed = new ClosedMessages(compilation);
        foreach (INamedTypeSymbol form in CarriedForms.Referenced(compilation))
        {
            closed.Add(form);
        }

        foreach ((SyntaxTree? tree, GenericUses? inFile) in uses)
        {
            SemanticModel? model = null;
            foreach (SimpleNameSyntax? name in inFile.Names.Where(name => names.Contains(name.Identifier.ValueText)))
            {
                cancellation.ThrowIfCancellationRequested();
                if (ClosedNames.SymbolOf(name, model ??= compilation.GetSemanticModel(tree), cancellation) is { } symbol)
                {
                    closed.Add(symbol);
                }
            }
        }

        ILookup<bool, ITypeSymbol> found = closed.Find().Where(argument => !IsKnown(argument))
            .ToLookup(argument => Visibility.IsOpenToAll(argument, compilation));
        EquatableArray<HomeModel> homes = new(Homes(found[false], compilation));
        IEnumerable<string> carried = closed.Carried()
            .Where(form => SymbolEqualityComparer.Default.Equals(OwnerOf(form), compilation.Assembly))
            .Select(CarriedForms.Write).Distinct().OrderBy(static form => form, StringComparer.Ordinal);
        return new ArgumentsModel(true, Classified(found[true], compilation), homes, new EquatableArray<string>(carried));
    }

    private static IAssemblySymbol OwnerOf(INamedTypeSymbol form) => TypeTrees.OwnersOf(form)[0].ContainingAssembly;

    // Calls of a generic method that constructs a generic message from its own type parameter often infer the type argument: Wrap(order),
    // where Wrap<T> has new Box<T>(value).
    private static void AddCarriers(HashSet<string> names, IReadOnlyList<GenericUses> files)
    {
        int count = 0;
        while (count < names.Count)
        {
            count = names.Count;
            names.UnionWith([.. files.SelectMany(file => file.Around(names))]);
        }
    }

    private static IEnumerable<HomeModel> Homes(IEnumerable<ITypeSymbol> arguments, Compilation compilation)
        => arguments.GroupBy(argument => Visibility.HomeOf(argument, compilation), SymbolEqualityComparer.Default)
            .Where(group => group.Key is not null)
            .Select(group => new HomeModel(HeaderParser.Parse((INamedTypeSymbol)group.Key!), Classified(group, compilation)))
            .OrderBy(home => home.Header.Name, StringComparer.Ordinal);

    private static EquatableArray<WireType> Classified(IEnumerable<ITypeSymbol> arguments, Compilation compilation)
    {
        SortedDictionary<string, WireType> types = new(StringComparer.Ordinal);
        var named = NamedPackers.Of(compilation);
        foreach (ITypeSymbol argument in arguments)
        {
            if (WireKinds.Classify(argument, new Rejection(named)) is { } type && !types.ContainsKey(type.Name))
            {
                types.Add(type.Name, type);
            }
        }

        return new EquatableArray<WireType>(types.Values);
    }

    // Types for which the runtime has a packer.
    private static bool IsKnown(ITypeSymbol type)
        => type.SpecialType == SpecialType.System_String
        || KnownValues.Find(type) is not null
        || (type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable
            && IsKnown(nullable.TypeArguments[0]));
}
