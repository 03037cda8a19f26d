using BlitQueue.Generator.Diagnose;

namespace BlitQueue.Generator.Parse;

/// <summary>
/// Finds the constructor that unpacking calls: the marked one; else one without parameters, if every member can be set without a
/// constructor's parameter; else the one with the most parameters, which must all match members by name.
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

    // A record's copy constructor: its parameter would match a member of the record's own type. In a class it is like any other
    // constructor.
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

    // An underscore in front is a style for fields, and another for parameters of primary constructors.
    private static string WithoutMark(string name) => name.TrimStart('_');

    private Location? Identifier() => HeaderParser.Declaration(_message)?.Identifier.GetLocation();

    private ChosenConstructor Fail(Location? at, string reason)
    {
        _diagnostics.Add(Descriptors.NoConstructor, at, TypeNames.Text(_message), reason);
        return None;
    }
}
