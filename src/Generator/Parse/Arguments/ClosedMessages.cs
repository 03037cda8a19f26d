namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>
/// Finds the closed forms of messages, and their type arguments, from the generic types and methods that the source names.
/// </summary>
internal sealed class ClosedMessages
{
    // A form may lead to another one with a larger argument, and so on without end: the search stops at this many levels more than the form
    // in the source has.
    private const int MaxGrowth = 8;

    private readonly Compilation _compilation;
    private readonly List<ISymbol> _closed = [];

    // For each generic type or method: what its code names with its own type parameters.
    private readonly Dictionary<ISymbol, List<ISymbol>> _open = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<ISymbol, OpenMembers> _members = new(SymbolEqualityComparer.Default);
    private readonly HashSet<ISymbol> _seen = new(SymbolEqualityComparer.Default);
    private readonly HashSet<ITypeSymbol> _arguments = new(SymbolEqualityComparer.Default);
    private readonly Queue<ISymbol> _waiting = new();
    private bool _isTooDeep;

    public ClosedMessages(Compilation compilation) => _compilation = compilation;

    /// <summary>Whether each closed form of a generic message contains a larger one.</summary>
    public static bool GrowsForEver(INamedTypeSymbol message, Compilation compilation)
    {
        Dictionary<ITypeParameterSymbol, ITypeSymbol> anything = new(SymbolEqualityComparer.Default);
        foreach (ITypeParameterSymbol parameter in HeaderParser.TypeParameterSymbols(message))
        {
            anything[parameter] = compilation.GetSpecialType(SpecialType.System_Int32);
        }

        if (anything.Count == 0)
        {
            return false;
        }

        var closed = new ClosedMessages(compilation);
        closed.Add(new Substitution(compilation, anything).In(message));
        closed.Find();
        return closed._isTooDeep;
    }

    // The members and bases of a message: a project that can name the message finds these by itself.
    private IEnumerable<ISymbol> KnownOf(ISymbol owner)
    {
        for (var type = owner as INamedTypeSymbol; type is not null; type = type.BaseType)
        {
            IEnumerable<ISymbol> known = Messages.Is(type)
                ? OpenMembers.Of(type, _compilation).Types.Concat(type.AllInterfaces).Append(type)
                : [];
            foreach (ISymbol part in known)
            {
                yield return part;
            }
        }
    }

    /// <summary>Adds a type or method that the source names.</summary>
    public void Add(ISymbol named)
    {
        if (TypeTrees.OwnersOf(named) is not { Count: > 0 } owners)
        {
            _closed.Add(named);
            return;
        }

        // The innermost owner is enough: its closed forms contain the arguments of the types around it.
        if (!_open.TryGetValue(owners[0], out List<ISymbol>? inside))
        {
            _open.Add(owners[0], inside = []);
            AddCallers(owners[0]);
        }

        inside.Add(named);
    }

    // A call of the interface's or the base class's method calls this method.
    private void AddCallers(ISymbol owner)
    {
        if (owner is not IMethodSymbol { Arity: > 0 } method)
        {
            return;
        }

        foreach (IMethodSymbol caller in Overridden.By(method).Where(caller => caller.Arity == method.Arity))
        {
            Add(method.Construct([.. caller.TypeParameters]));
        }
    }

    /// <summary>
    /// The messages that other projects must know: those that generic types and methods construct which other projects can name.
    /// </summary>
    public IEnumerable<INamedTypeSymbol> Carried() => _open.Keys.Where(CarriedForms.IsForOthers).ToList().SelectMany(CarriedBy);

    private IEnumerable<INamedTypeSymbol> CarriedBy(ISymbol owner)
    {
        HashSet<ISymbol> seen = new(KnownOf(owner), SymbolEqualityComparer.Default);
        Queue<ISymbol> waiting = new(_open[owner]);
        while (waiting.Count > 0)
        {
            foreach (ISymbol part in TypeTrees.Parts(waiting.Dequeue()).Where(part => part is INamedTypeSymbol or IMethodSymbol))
            {
                if (TypeTrees.OwnersOf(part).Count == 0 || TypeTrees.Depth(part) > MaxGrowth || !seen.Add(part))
                {
                    continue;
                }

                if (part is INamedTypeSymbol type && Messages.Is(type.OriginalDefinition))
                {
                    yield return type;
                }

                var substitution = new Substitution(_compilation, Substitution.ArgumentsOf(part));
                foreach (ISymbol named in _open.TryGetValue(part.OriginalDefinition, out List<ISymbol>? inside) ? inside : [])
                {
                    waiting.Enqueue(substitution.In(named));
                }
            }
        }
    }

    /// <summary>The type arguments, each once.</summary>
    public IReadOnlyCollection<ITypeSymbol> Find()
    {
        foreach (ISymbol written in _closed)
        {
            int maxDepth = TypeTrees.Depth(written) + MaxGrowth;
            _waiting.Enqueue(Substitution.None(_compilation).In(written));
            while (_waiting.Count > 0)
            {
                foreach (ISymbol? part in TypeTrees.Parts(_waiting.Dequeue()).Where(part => part is INamedTypeSymbol or IMethodSymbol))
                {
                    Visit(part, maxDepth);
                }
            }
        }

        return _arguments;
    }

    private void Visit(ISymbol part, int maxDepth)
    {
        if (!_seen.Add(part) || TypeTrees.OwnersOf(part).Count > 0)
        {
            return;
        }

        if (TypeTrees.Depth(part) > maxDepth)
        {
            _isTooDeep = true;
            return;
        }

        var substitution = new Substitution(_compilation, Substitution.ArgumentsOf(part));
        if (_open.TryGetValue(part.OriginalDefinition, out List<ISymbol>? inside))
        {
            foreach (ISymbol named in inside)
            {
                _waiting.Enqueue(substitution.In(named));
            }
        }

        if (part is INamedTypeSymbol type)
        {
            VisitType(type, substitution);
        }
    }

    private void VisitType(INamedTypeSymbol type, Substitution substitution)
    {
        // The source may name Outer<int> to get at its Inner.
        if (type.Arity > 0)
        {
            foreach (INamedTypeSymbol? nested in type.GetTypeMembers().Where(nested => nested.Arity == 0))
            {
                _waiting.Enqueue(nested);
            }
        }

        INamedTypeSymbol definition = type.OriginalDefinition;
        if (!HeaderParser.TypeParameterSymbols(definition).Any() || !Messages.Is(definition))
        {
            return;
        }

        if (!_members.TryGetValue(definition, out OpenMembers? members))
        {
            _members.Add(definition, members = OpenMembers.Of(definition, _compilation));
        }

        foreach (ITypeParameterSymbol parameter in members.Parameters)
        {
            _arguments.Add(Substitution.None(_compilation).In(substitution.In(parameter)));
        }

        foreach (ITypeSymbol member in members.Types)
        {
            _waiting.Enqueue(substitution.In(member));
        }
    }
}
