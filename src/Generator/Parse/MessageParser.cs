using System.Globalization;
using BlitQueue.Generator.Diagnose;

namespace BlitQueue.Generator.Parse;

/// <summary>Makes a type's model from its symbol, for the generator, and the diagnostics, for the analyzer.</summary>
internal static class MessageParser
{
    public static MessageModel? Parse(
        INamedTypeSymbol type, Compilation compilation, DiagnosticBag diagnostics, CancellationToken cancellation)
    {
        HeaderParser.Check(type, diagnostics);
        var layout = (MessageLayout)ArgumentOf(type, "Layout");
        CheckLayout(type, layout, diagnostics);
        if (UnionParser.IsUnion(type))
        {
            return UnionParser.Parse(type, compilation, diagnostics);
        }

        DataLossCheck.Check(type, diagnostics);
        IReadOnlyList<FoundMember> members = MemberOrder.Apply(
            type, layout, MemberFinder.Find(type, compilation, diagnostics), diagnostics);
        IEnumerable<ISymbol> own = members.Select(member => member.Symbol)
            .Where(member => SymbolEqualityComparer.Default.Equals(member.ContainingAssembly, compilation.Assembly));
        cancellation.ThrowIfCancellationRequested();

        ChosenConstructor constructor = ConstructorPicker.Pick(type, members, compilation, diagnostics);
        List<ISymbol?> used = [.. members.Select(member => member.Symbol), constructor.Symbol];
        EquatableArray<MemberModel> models = MemberParser.Parse(type, layout, members, constructor, compilation, diagnostics);
        EquatableArray<CallbackModel> callbacks = CallbackFinder.Find(type, compilation, diagnostics);
        CheckSize(type, layout, models, diagnostics);
        if (layout == MessageLayout.Circular && !type.IsValueType)
        {
            CheckFilling(type, members, models, constructor, diagnostics);
        }

        if (!HeaderParser.CanContainCode(type))
        {
            return null;
        }

        if (diagnostics.Any)
        {
            models = EquatableArray<MemberModel>.Empty;
        }

        return new MessageModel
        {
            Header = HeaderParser.Parse(type),
            IsStruct = type.IsValueType,
            CanBeDerived = !type.IsValueType && !type.IsSealed,
            IsRefused = diagnostics.Any,
            Members = models,
            Layout = layout,
            FixedLength = layout == MessageLayout.Tolerant ? 0 : models.Sum(member => member.Type.Size),
            VariableCount = layout == MessageLayout.Tolerant
                ? models.Select(member => member.Slot + 1).DefaultIfEmpty().Max()
                : models.Count(member => !member.Type.IsFixed),
            Creation = CreationParser.Parse(type, models, constructor),
            Clashes = ClashFinder.Find(type),
            View = ViewFinder.Find(type),
            HidesBaseView = ViewFinder.HidesBaseView(type),
            StringsAreUtf16 = ArgumentOf(type, "Strings") == 1,
            Callbacks = callbacks,
            RunsUserCode = members.Any(member => member.GetterHasBody)
                || models.Any(member => member.Type.RunsUserCode)
                || callbacks.Any(callback => callback.Phase is CallbackPhase.Packing or CallbackPhase.Packed),
            UsesObsolete = used.Any(UserMarks.IsObsoleteAsError) || callbacks.Any(callback => callback.IsObsolete),
            Silenced = new EquatableArray<string>(UserMarks.Ids(used)),
            OutOfReach = new EquatableArray<OutOfReachModel>(type.IsSealed ? [] : OutOfReach.Of(own)),
            RunsSetters = members.Any(member => member.SetterHasBody),
        };
    }

    private static void CheckLayout(INamedTypeSymbol type, MessageLayout layout, DiagnosticBag diagnostics)
    {
        Location? at = HeaderParser.Declaration(type)?.Identifier.GetLocation();
        if (layout != MessageLayout.Sequential && UnionParser.IsUnion(type))
        {
            diagnostics.Add(
                Descriptors.UnusableType, at, TypeNames.Text(type), "a union has no members and so no layout of them; its cases have");
        }
        else if (layout == MessageLayout.Circular && type.IsValueType)
        {
            diagnostics.Add(Descriptors.CannotFill, at, TypeNames.Text(type), "a struct has no identity");
        }
    }

    // A member of a circular message may refer to the message itself: so the object must exist before its members are read.
    private static void CheckFilling(
        INamedTypeSymbol type, IReadOnlyList<FoundMember> members, EquatableArray<MemberModel> models, ChosenConstructor constructor,
        DiagnosticBag diagnostics)
    {
        if (constructor.Arguments.Count > 0)
        {
            Location? at = HeaderParser.Declaration(type)?.Identifier.GetLocation();
            diagnostics.Add(Descriptors.CannotFill, at, TypeNames.Text(type), "it has no constructor without parameters that would do");
            return;
        }

        foreach (MemberModel? model in models.Where(model => model.Restore == Restore.Initialize))
        {
            FoundMember member = members.First(member => member.Name == model.Name);
            diagnostics.Add(Descriptors.CannotFill, Locations.In(type, member.Symbol), member.Name, "it can be set in an initializer only");
        }
    }

    private static void CheckSize(
        INamedTypeSymbol type, MessageLayout layout, EquatableArray<MemberModel> members, DiagnosticBag diagnostics)
    {
        // The numbers of a tolerant message are checked at the members.
        if (layout == MessageLayout.Tolerant)
        {
            return;
        }

        long fixedLength = members.Sum(member => (long)member.Type.Size);
        int variableCount = members.Count(member => !member.Type.IsFixed);
        Location? at = HeaderParser.Declaration(type)?.Identifier.GetLocation();
        if (fixedLength > Limits.MaxPart)
        {
            diagnostics.Add(Descriptors.TooLarge, at, TypeNames.Text(type), $"{fixedLength} bytes of fixed-size members", Limits.MaxPart);
        }
        // In a circular message, the highest count marks a reference to an object that was written before.
        int maxVariables = layout == MessageLayout.Circular ? Limits.MaxPart - 1 : Limits.MaxPart;
        if (variableCount > maxVariables)
        {
            diagnostics.Add(Descriptors.TooLarge, at, TypeNames.Text(type), $"{variableCount} members of variable size", maxVariables);
        }
    }

    private static int ArgumentOf(INamedTypeSymbol type, string name)
    {
        foreach (KeyValuePair<string, TypedConstant> argument in KnownTypes.Find(type, KnownTypes.QueueMessage)?.NamedArguments ?? [])
        {
            if (argument.Key == name && argument.Value.Value is { } value)
            {
                return Convert.ToInt32(value, CultureInfo.InvariantCulture);
            }
        }

        return 0;
    }
}
