using BlitQueue.Generator.Diagnose;
using BlitQueue.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Parse;

/// <summary>From a member's symbol to its model: kind, place, and the way it is restored.</summary>
internal static class MemberParser
{
    public static EquatableArray<MemberModel> Parse(
        INamedTypeSymbol message,
        IReadOnlyList<FoundMember> members,
        ChosenConstructor constructor,
        Findings findings)
    {
        List<MemberModel> models = [];
        var locals = new LocalNames();
        var offset = 0;
        var variables = 0;
        foreach (var member in members)
        {
            var type = Classify(message, member, findings);
            var restore = RestoreOf(message, member, constructor, findings);
            if (type is null || restore is null)
                continue;

            models.Add(new MemberModel
            {
                Name = member.Name,
                Identifier = TypeNames.Identifier(member.Name),
                Local = locals.For(member.Name),
                Type = type,
                Place = type.IsFixed ? offset : variables,
                Restore = restore.Value,
                ParameterDefault = constructor.ParameterOf(member) is { } parameter ? Literals.DefaultOf(parameter) : "default",
                IsRequired = member.IsRequired && !constructor.SetsRequiredMembers,
            });
            offset += type.Size;
            variables += type.IsFixed ? 0 : 1;
        }

        return new EquatableArray<MemberModel>(models);
    }

    private static WireType? Classify(INamedTypeSymbol message, FoundMember member, Findings findings)
    {
        var refusal = new Refusal();
        if (WireKinds.Classify(member.Type, refusal) is { } type)
            return type;

        if (refusal.Descriptor is { } descriptor)
            findings.Add(descriptor, Places.OfType(message, member.Symbol), member.Name, refusal.Reason);
        else
            findings.AddSilent();
        return null;
    }

    private static Restore? RestoreOf(INamedTypeSymbol message, FoundMember member, ChosenConstructor constructor, Findings findings)
    {
        if (constructor.ParameterOf(member) is not null)
            return Restore.Construct;
        if (member.CanSet)
            return member.IsInitOnly ? Restore.Initialize : Restore.Assign;

        findings.Add(Descriptors.CannotRestore, Places.In(message, member.Symbol), member.Name);
        return null;
    }
}
