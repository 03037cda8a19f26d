using BlitQueue.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Parse;

/// <summary>How unpacking comes by an instance, from the constructor and the members' ways back.</summary>
internal static class CreationParser
{
    public static Creation Parse(INamedTypeSymbol message, EquatableArray<MemberModel> members, ChosenConstructor constructor)
    {
        var isPlain = constructor.Arguments.Count == 0;
        var fillsInPlace = isPlain && members.All(member => member.Restore == Restore.Assign);
        return new Creation
        {
            FillsInPlace = fillsInPlace,
            FillsGiven = !message.IsValueType && !isPlain && constructor.Arguments.All(CanBeSetLater) && AllOthersAssign(members),
            Arguments = new EquatableArray<int>(constructor.Arguments.Select(argument => IndexOf(members, argument.Name))),
            Defaulted = new EquatableArray<string>(Defaulted(message, members, constructor, fillsInPlace)),
        };
    }

    private static bool CanBeSetLater(FoundMember member) => member is { CanSet: true, IsInitOnly: false };

    private static bool AllOthersAssign(EquatableArray<MemberModel> members) => members.All(member => member.Restore != Restore.Initialize);

    private static int IndexOf(EquatableArray<MemberModel> members, string name)
    {
        for (var i = 0; i < members.Count; i++)
        {
            if (members[i].Name == name)
                return i;
        }

        return -1;
    }

    // The compiler insists that whoever constructs sets what is required, packed or not.
    private static IEnumerable<string> Defaulted(
        INamedTypeSymbol message, EquatableArray<MemberModel> members, ChosenConstructor constructor, bool fillsInPlace)
    {
        if (constructor.SetsRequiredMembers)
            yield break;

        for (var type = message; type is not null; type = type.BaseType)
        {
            foreach (var member in type.GetMembers())
            {
                var isRequired = member is IPropertySymbol { IsRequired: true, IsOverride: false } or IFieldSymbol { IsRequired: true };
                if (isRequired && (fillsInPlace || members.All(packed => packed.Name != member.Name)))
                    yield return TypeNames.Identifier(member.Name);
            }
        }
    }
}
