using BlitQueue.Generator.Diagnose;

namespace BlitQueue.Generator.Parse;

/// <summary>The order in which members are packed: by [PackOrder] if the message uses it, else in the order of their declaration.</summary>
internal static class MemberOrder
{
    public static IReadOnlyList<FoundMember> Apply(
        INamedTypeSymbol message, MessageLayout layout, IReadOnlyList<FoundMember> members, DiagnosticBag diagnostics)
    {
        bool isTolerant = layout == MessageLayout.Tolerant;
        if (!isTolerant && members.All(member => OrderOf(member) is null))
        {
            CheckParts(message, members, diagnostics);
            return members;
        }

        Dictionary<int, FoundMember> numbers = [];
        foreach (FoundMember member in members)
        {
            if (FaultOf(member, isTolerant, numbers) is { } fault)
            {
                diagnostics.Add(Descriptors.UnusableOrder, Locations.In(message, member.Symbol), member.Name, fault);
            }
        }

        return [.. members.OrderBy(OrderOf)];
    }

    private static string? FaultOf(FoundMember member, bool isTolerant, Dictionary<int, FoundMember> numbers)
    {
        if (OrderOf(member) is not { } order)
        {
            return isTolerant
                ? "it has no [PackOrder], by which PackLayout.VersionTolerant knows it"
                : "it has no [PackOrder], and other members have one";
        }

        if (isTolerant && order > Limits.MaxNumber)
        {
            return $"{order} is more than {Limits.MaxNumber}";
        }

        if (order < 0)
        {
            return $"{order} is less than 0";
        }

        if (numbers.TryGetValue(order, out FoundMember? other))
        {
            return $"'{other.Name}' has the number {order} already";
        }

        numbers.Add(order, member);
        return null;
    }

    // The order of members in different parts of a type depends on the order of files in the compiler's arguments, which may change by
    // accident.
    private static void CheckParts(INamedTypeSymbol message, IReadOnlyList<FoundMember> members, DiagnosticBag diagnostics)
    {
        for (int i = 1; i < members.Count; i++)
        {
            (ISymbol? before, ISymbol? after) = (members[i - 1].Symbol, members[i].Symbol);
            bool isOneType = SymbolEqualityComparer.Default.Equals(before.ContainingType, after.ContainingType);
            if (isOneType && Locations.Part(before) != Locations.Part(after))
            {
                diagnostics.Add(Descriptors.SeveralParts, Locations.In(message, after), after.Name, TypeNames.Text(after.ContainingType));
            }
        }
    }

    /// <summary>The number in [PackOrder].</summary>
    public static int? OrderOf(FoundMember member)
        => KnownTypes.Find(member.Symbol, KnownTypes.PackOrder)?.ConstructorArguments is [{ Value: int order }] ? order : null;
}
