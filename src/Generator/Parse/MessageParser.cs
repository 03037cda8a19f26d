using System.Globalization;
using BlitQueue.Generator.Diagnose;
using BlitQueue.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Parse;

/// <summary>From a type's symbol to its model: what the generator emits and the analyzer reports comes from here.</summary>
internal static class MessageParser
{
    public static MessageModel? Parse(GeneratorAttributeSyntaxContext target, CancellationToken cancellation)
    {
        // A partial type is met once for each part with the attribute; twice is the compiler's error, but must not be two files.
        var type = (INamedTypeSymbol)target.TargetSymbol;
        return HeaderParser.Declaration(type) == target.TargetNode
            ? Parse(type, target.SemanticModel.Compilation, new Findings(), cancellation)
            : null;
    }

    public static MessageModel? Parse(INamedTypeSymbol type, Compilation compilation, Findings findings, CancellationToken cancellation)
    {
        HeaderParser.Check(type, findings);
        CheckLayout(type, findings);

        var members = MemberOrder.Apply(type, MemberFinder.Find(type, compilation, findings), findings);
        cancellation.ThrowIfCancellationRequested();

        var constructor = ConstructorPicker.Pick(type, members, compilation, findings);
        var models = MemberParser.Parse(type, members, constructor, findings);
        var callbacks = CallbackFinder.Find(type, compilation, findings);
        CheckSize(type, models, findings);
        if (!HeaderParser.CanHoldCode(type))
            return null;
        if (findings.Any)
            models = EquatableArray<MemberModel>.Empty;

        return new MessageModel
        {
            Header = HeaderParser.Parse(type),
            IsStruct = type.IsValueType,
            CanBeDerived = !type.IsValueType && !type.IsSealed,
            IsRefused = findings.Any,
            Members = models,
            FixedLength = models.Sum(member => member.Type.Size),
            VariableCount = models.Count(member => !member.Type.IsFixed),
            Creation = CreationParser.Parse(type, models, constructor),
            Clashes = ClashFinder.Find(type),
            StringsAreUtf16 = ArgumentOf(type, "Strings") == 1,
            Callbacks = callbacks,
            RunsUserCode = members.Any(member => member.GetterHasBody)
                || models.Any(member => member.Type.RunsUserCode)
                || callbacks.Any(callback => callback.Phase is CallbackPhase.Packing or CallbackPhase.Packed),
        };
    }

    private static void CheckLayout(INamedTypeSymbol type, Findings findings)
    {
        var at = HeaderParser.Declaration(type)?.Identifier.GetLocation();
        if (ArgumentOf(type, "Layout") is var layout and not 0)
            findings.Add(Descriptors.NotSupportedYet, at, layout == 1 ? "PackLayout.VersionTolerant" : "PackLayout.CircularReference");
    }

    private static void CheckSize(INamedTypeSymbol type, EquatableArray<MemberModel> members, Findings findings)
    {
        var fixedLength = members.Sum(member => (long)member.Type.Size);
        var variableCount = members.Count(member => !member.Type.IsFixed);
        var at = HeaderParser.Declaration(type)?.Identifier.GetLocation();
        if (fixedLength > Limits.MaxPart)
            findings.Add(Descriptors.TooLarge, at, TypeNames.Text(type), $"{fixedLength} bytes of fixed-size members", Limits.MaxPart);
        if (variableCount > Limits.MaxPart)
            findings.Add(Descriptors.TooLarge, at, TypeNames.Text(type), $"{variableCount} members of variable size", Limits.MaxPart);
    }

    private static int ArgumentOf(INamedTypeSymbol type, string name)
    {
        foreach (var argument in KnownTypes.Find(type, KnownTypes.QueueMessage)?.NamedArguments ?? [])
        {
            if (argument.Key == name && argument.Value.Value is { } value)
                return Convert.ToInt32(value, CultureInfo.InvariantCulture);
        }

        return 0;
    }
}
