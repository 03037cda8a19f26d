using BlitQueue.Generator.Diagnose;
using BlitQueue.Generator.Parse.Kinds;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Parse;

/// <summary>Makes a member's model from its symbol: its kind, its slot, and how unpacking sets it.</summary>
internal static class MemberParser
{
    public static EquatableArray<MemberModel> Parse(
        INamedTypeSymbol message,
        MessageLayout layout,
        IReadOnlyList<FoundMember> members,
        ChosenConstructor constructor,
        Compilation compilation,
        DiagnosticBag diagnostics)
    {
        List<MemberModel> models = [];
        var named = NamedPackers.Of(compilation);
        var locals = new LocalNames();
        int offset = 0;
        int variables = 0;
        foreach (FoundMember member in members)
        {
            WireType? type = Classify(message, member, named, diagnostics);
            Restore? restore = RestoreOf(message, member, constructor, diagnostics);
            if (type is null || restore is null)
            {
                continue;
            }

            int slot = layout == MessageLayout.Tolerant ? MemberOrder.OrderOf(member) ?? 0 : type.IsFixed ? offset : variables;
            models.Add(Model(message, member, type, slot, restore.Value, locals.For(member.Name), constructor));
            offset += type.Size;
            variables += type.IsFixed ? 0 : 1;
        }

        return new EquatableArray<MemberModel>(models);
    }

    private static MemberModel Model(
        INamedTypeSymbol message, FoundMember member, WireType type, int slot, Restore restore, string local,
        ChosenConstructor constructor)
    {
        IParameterSymbol? parameter = constructor.ParameterOf(member);
        bool isNullable = member.Type is ITypeParameterSymbol parameterType
            ? !parameterType.IsValueType && parameterType.NullableAnnotation == NullableAnnotation.Annotated
            : member.Type.IsReferenceType && member.Type.NullableAnnotation != NullableAnnotation.NotAnnotated;
        return new MemberModel
        {
            Name = member.Name,
            Identifier = TypeNames.Identifier(member.Name),
            Local = local,
            Type = type,
            Slot = slot,
            Restore = restore,
            IsNullable = isNullable,
            ParameterDefault = parameter is null ? "default" : Literals.DefaultOf(parameter),
            IsForgivenAsArgument = isNullable && parameter is { Type.NullableAnnotation: NullableAnnotation.NotAnnotated },
            ViewAccess = ViewFinder.AccessOf(member),
            GetsWhatWasSet = member.GetsWhatWasSet,
            MayBeMade = restore != Restore.Construct && Initializers.MaySet(message, member.Symbol),
            IsRequired = member.IsRequired && !constructor.SetsRequiredMembers,
        };
    }

    private static WireType? Classify(INamedTypeSymbol message, FoundMember member, NamedPackers named, DiagnosticBag diagnostics)
    {
        var rejection = new Rejection(named);
        ITypeSymbol type = member.Element ?? member.Type;
        WireType? classified = KnownTypes.Find(member.Symbol, KnownTypes.PackWith) is { } packWith
            ? CustomKind.Classify(type, member.Symbol, packWith, rejection)
            : member.Symbol is IFieldSymbol { IsFixedSizeBuffer: true }
            ? rejection.CannotBlit("it is a fixed-size buffer; use an array")
            : WireKinds.Classify(type, rejection);
        if (classified is not null)
        {
            if (member.Element is not null)
            {
                classified = InlineArrays.Of(message, member.Element, classified);
            }

            DataLossCheck.Check(message, member, classified, diagnostics);
            return classified with { StandsAlone = true };
        }

        if (rejection.Descriptor is { } descriptor)
        {
            diagnostics.Add(descriptor, Locations.OfType(message, member.Symbol), member.Name, rejection.Reason);
        }
        else
        {
            diagnostics.AddSilent();
        }

        return null;
    }

    private static Restore? RestoreOf(
        INamedTypeSymbol message, FoundMember member, ChosenConstructor constructor, DiagnosticBag diagnostics)
    {
        if (constructor.ParameterOf(member) is not null)
        {
            return Restore.Construct;
        }

        if (member.CanSet)
        {
            return member.IsInitOnly ? Restore.Initialize : Restore.Assign;
        }

        diagnostics.Add(Descriptors.CannotRestore, Locations.In(message, member.Symbol), member.Name, RestoreAdvice(member.Symbol));
        return null;
    }

    private static string RestoreAdvice(ISymbol member)
    {
        if (member is not IPropertySymbol { SetMethod: { } setter })
        {
            return "give it a setter, take it as a constructor parameter, or mark it [PackIgnore]";
        }

        string change = Foreign.Is(member.ContainingType) ? "" : "make it protected there, ";
        return $"its setter is {SyntaxFacts.GetText(setter.DeclaredAccessibility)} in {TypeNames.Text(member.ContainingType)}; "
            + $"{change}take the member as a constructor parameter, or mark it [PackIgnore]";
    }
}
