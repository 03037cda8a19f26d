namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>
/// From the generic types and methods that are named to the closed forms of messages, and to what stands for their type parameters.
/// </summary>
internal sealed class ClosedMessages
{
    // A form may lead to another with a larger argument, without end. What is written itself may be as deep as it likes.
    private const int MaxGrowth = 8;

    private readonly Compilation _compilation;
    private readonly List<ISymbol> _closed = [];

    // What is named inside a generic type or method in terms of its own type parameters.
    private readonly Dictionary<ISymbol, List<ISymbol>> _open = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<ISymbol, OpenMembers> _members = new(SymbolEqualityComparer.Default);
    private readonly HashSet<ISymbol> _seen = new(SymbolEqualityComparer.Default);
    private readonly HashSet<ITypeSymbol> _arguments = new(SymbolEqualityComparer.Default);
    private readonly Queue<ISymbol> _waiting = new();
    private bool _isTooDeep;

    public ClosedMessages(Compilation compilation) => _compilation = compilation;

    /// <summary>Whether each closed form of a generic message has a larger one in it.</summary>
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

    // What a message has in it, or derives from, is seen wherever the message is.
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

    /// <summary>Adds a type or method that is named somewhere.</summary>
    public void Add(ISymbol named)
    {
        if (TypeTrees.OwnersOf(named) is not { Count: > 0 } owners)
        {
            _closed.Add(named);
            return;
        }

        // The innermost one: its closed forms have the arguments of those around it.
        if (!_open.TryGetValue(owners[0], out List<ISymbol>? inside))
        {
            _open.Add(owners[0], inside = []);
            AddCallers(owners[0]);
        }

        inside.Add(named);
    }

    // Who calls the contract's method, or that of the base class, calls this one.
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

    /// <summary>What other projects are to know: the messages that generic types and methods make which they can name.</summary>
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

    /// <summary>The types that stand for parameters, each once.</summary>
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
        // Outer<int> is written where its Inner is meant, be it that only the compiler sees that.
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
