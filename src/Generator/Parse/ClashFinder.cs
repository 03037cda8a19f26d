namespace BlitQueue.Generator.Parse;

/// <summary>Finds out which of the generated members' names the user's type has already.</summary>
internal static class ClashFinder
{
    public static Clashes Find(INamedTypeSymbol message)
    {
        SortedSet<string> taken = new(StringComparer.Ordinal);
        for (INamedTypeSymbol? type = message; type is not null; type = type.BaseType)
        {
            foreach (ISymbol member in type.GetMembers())
            {
                if (member.Name.StartsWith("Pack", StringComparison.Ordinal) || member.Name.StartsWith("Unpack", StringComparison.Ordinal))
                {
                    taken.Add(member.Name);
                }
            }
        }

        return new Clashes
        {
            Pack = IsTaken(message, "Pack"),
            Unpack = IsTaken(message, "Unpack"),
            Schema = IsTaken(message, "Schema"),
            HidesBaseSchema = HidesBaseSchema(message),
            Taken = new EquatableArray<string>(taken),
        };
    }

    /// <summary>Whether a message's static methods can be called by the type's name.</summary>
    public static bool IsDirect(INamedTypeSymbol message)
        => !IsTaken(message, "Pack") && !IsTaken(message, "Unpack") && !IsTaken(message, "Schema");

    private static bool IsTaken(INamedTypeSymbol message, string name)
    {
        if (message.Name == name || HeaderParser.TypeParameters(message).Contains(name))
        {
            return true;
        }

        for (INamedTypeSymbol? type = message; type is not null; type = type.BaseType)
        {
            foreach (ISymbol member in type.GetMembers(name))
            {
                if (!IsGenerated(member))
                {
                    return true;
                }
            }
        }

        return false;
    }

    // The analyzer sees generated members, too, and those of a compiled base class cannot be told from the user's.
    private static bool IsGenerated(ISymbol member) => member switch
    {
        IMethodSymbol method => method.Name != "Schema",
        IPropertySymbol property => property.IsStatic && KnownTypes.Is(property.Type, KnownTypes.MessageSchema),
        _ => false,
    };

    private static bool HidesBaseSchema(INamedTypeSymbol message)
    {
        for (INamedTypeSymbol? type = message.BaseType; type is not null; type = type.BaseType)
        {
            if (!KnownTypes.Has(type, KnownTypes.QueueMessage) && !KnownTypes.ImplementsPackable(type))
            {
                continue;
            }

            if (!IsTaken(type, "Schema") && (type.DeclaringSyntaxReferences.IsEmpty || HeaderParser.CanContainCode(type)))
            {
                return true;
            }
        }

        return false;
    }
}
