namespace BlitQueue.Generator.Parse;

/// <summary>Derives from the constructor and the members how unpacking gets an instance.</summary>
internal static class CreationParser
{
    public static Creation Parse(INamedTypeSymbol message, EquatableArray<MemberModel> members, ChosenConstructor constructor)
    {
        var required = Required(message, constructor).ToList();
        bool isParameterless = constructor.Arguments.Count == 0;
        bool fillsInPlace = isParameterless && members.All(member => member.Restore == Restore.Assign);
        return new Creation
        {
            FillsInPlace = fillsInPlace,
            FillsGiven = !message.IsValueType && !isParameterless && constructor.Arguments.All(CanBeSetLater) && AllOthersAssign(members),
            Arguments = new EquatableArray<int>(constructor.Arguments.Select(argument => IndexOf(members, argument.Name))),
            Defaulted = new EquatableArray<string>(
                required.Where(name => members.All(packed => packed.Name != name)).Select(TypeNames.Identifier)),
            Parameters = new EquatableArray<string>(constructor.Symbol?.Parameters.Select(Parameter) ?? []),
            HasRequired = required.Count > 0,
        };
    }

    private static bool CanBeSetLater(FoundMember member) => member is { CanSet: true, IsInitOnly: false };

    private static bool AllOthersAssign(EquatableArray<MemberModel> members) => members.All(member => member.Restore != Restore.Initialize);

    private static int IndexOf(EquatableArray<MemberModel> members, string name)
    {
        for (int i = 0; i < members.Count; i++)
        {
            if (members[i].Name == name)
            {
                return i;
            }
        }

        return -1;
    }

    private static string Parameter(IParameterSymbol parameter)
    {
        string reference = parameter.RefKind switch { RefKind.In => "in ", RefKind.RefReadOnlyParameter => "ref readonly ", _ => "" };
        bool mayBeNull = !parameter.Type.IsValueType && parameter.NullableAnnotation == NullableAnnotation.Annotated;
        return $"{reference}{TypeNames.Code(parameter.Type)}{(mayBeNull ? "?" : "")}";
    }

    // The required members, packed or not.
    private static IEnumerable<string> Required(INamedTypeSymbol message, ChosenConstructor constructor)
    {
        if (constructor.SetsRequiredMembers)
        {
            yield break;
        }

        for (INamedTypeSymbol? type = message; type is not null; type = type.BaseType)
        {
            foreach (ISymbol member in type.GetMembers())
            {
                if (member is IPropertySymbol { IsRequired: true, IsOverride: false } or IFieldSymbol { IsRequired: true })
                {
                    yield return member.Name;
                }
            }
        }
    }
}
