using BlitQueue.Generator.Diagnose;

namespace BlitQueue.Generator.Parse;

/// <summary>
/// Which constructor unpacking calls: the one marked; else one without parameters, when nothing needs a parameter to be restored;
/// else the one with the most parameters, all of which must match members by name.
/// </summary>
internal sealed class ConstructorPicker
{
    private static readonly ChosenConstructor None = new() { Symbol = null, Arguments = [] };

    private readonly INamedTypeSymbol _message;
    private readonly IReadOnlyList<FoundMember> _members;
    private readonly Compilation _compilation;
    private readonly DiagnosticBag _diagnostics;

    private ConstructorPicker(
        INamedTypeSymbol message, IReadOnlyList<FoundMember> members, Compilation compilation, DiagnosticBag diagnostics)
    {
        _message = message;
        _members = members;
        _compilation = compilation;
        _diagnostics = diagnostics;
    }

    public static ChosenConstructor Pick(
        INamedTypeSymbol message, IReadOnlyList<FoundMember> members, Compilation compilation, DiagnosticBag diagnostics)
    {
        if (message.TypeKind == TypeKind.Interface || message.IsStatic)
        {
            return None;
        }

        var picker = new ConstructorPicker(message, members, compilation, diagnostics);
        var marked = message.InstanceConstructors.Where(constructor => KnownTypes.Has(constructor, KnownTypes.PackConstructor)).ToList();
        return marked.Count switch
        {
            0 => picker.Choose(),
            1 => picker.Marked(marked[0]),
            _ => picker.Fail(marked[1].Locations.FirstOrDefault(), "more than one constructor is marked [PackConstructor]"),
        };
    }

    private ChosenConstructor Marked(IMethodSymbol constructor)
    {
        foreach (IParameterSymbol parameter in constructor.Parameters)
        {
            if (MemberOf(parameter) is null)
            {
                return Fail(parameter.Locations.FirstOrDefault(), $"no packed member matches '{parameter.Name}' by name and type");
            }
        }

        return With(constructor);
    }

    private ChosenConstructor Choose()
    {
        var usable = _message.InstanceConstructors.Where(IsUsable).Select(With).ToList();
        if (usable.Find(candidate => candidate.Arguments.Count == 0) is { } parameterless
            && (usable.Count == 1 || RestoresAll(parameterless)))
        {
            return parameterless;
        }

        if (usable.Count == 0)
        {
            return Fail(Identifier(), "no constructor has only parameters that match members by name and type");
        }

        int most = usable.Max(candidate => candidate.Arguments.Count);
        var best = usable.Where(candidate => candidate.Arguments.Count == most).ToList();
        return best.Count == 1 ? best[0] : Fail(Identifier(), "several constructors would do; mark one of them [PackConstructor]");
    }

    private bool IsUsable(IMethodSymbol constructor)
        => !IsCopy(constructor) && constructor.Parameters.All(parameter => MemberOf(parameter) is not null);

    // It would be found by a member of the record's own type. In a class that is no record such a constructor is like any other.
    private bool IsCopy(IMethodSymbol constructor)
        => _message is { IsRecord: true, IsValueType: false }
            && constructor.Parameters is [{ Type: var single }]
            && SymbolEqualityComparer.Default.Equals(single, _message);

    private bool RestoresAll(ChosenConstructor constructor)
        => _members.All(member => member.CanSet || constructor.Arguments.Contains(member));

    private ChosenConstructor With(IMethodSymbol constructor)
        => new() { Symbol = constructor, Arguments = [.. constructor.Parameters.Select(parameter => MemberOf(parameter)!)] };

    private FoundMember? MemberOf(IParameterSymbol parameter)
    {
        if (parameter.RefKind is RefKind.Ref or RefKind.Out)
        {
            return null;
        }

        return Named(parameter, static (member, name) => string.Equals(member, name, StringComparison.Ordinal))
            ?? Named(parameter, static (member, name) => string.Equals(member, name, StringComparison.OrdinalIgnoreCase))
            ?? Named(parameter, static (member, name) =>
                string.Equals(WithoutMark(member), WithoutMark(name), StringComparison.OrdinalIgnoreCase));
    }

    private FoundMember? Named(IParameterSymbol parameter, Func<string, string, bool> isSame)
        => _members.FirstOrDefault(member =>
            isSame(member.Name, parameter.Name) && _compilation.HasImplicitConversion(member.Type, parameter.Type));

    // Of fields in one style, of the parameters of a primary constructor in another.
    private static string WithoutMark(string name) => name.TrimStart('_');

    private Location? Identifier() => HeaderParser.Declaration(_message)?.Identifier.GetLocation();

    private ChosenConstructor Fail(Location? at, string reason)
    {
        _diagnostics.Add(Descriptors.NoConstructor, at, TypeNames.Text(_message), reason);
        return None;
    }
}
