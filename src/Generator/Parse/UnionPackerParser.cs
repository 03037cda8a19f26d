using BlitQueue.Generator.Diagnose;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse;

/// <summary>Makes the model of a class with [PackUnionOf], which lists the cases of a union that another assembly declares.</summary>
internal static class UnionPackerParser
{
    private static readonly string[] Generated = ["Pack", "Unpack", "Schema"];

    public static MessageModel? Parse(GeneratorAttributeSyntaxContext target)
        => Parse((INamedTypeSymbol)target.TargetSymbol, target.SemanticModel.Compilation, new DiagnosticBag());

    public static MessageModel? Parse(INamedTypeSymbol type, Compilation compilation, DiagnosticBag diagnostics)
    {
        HeaderParser.CheckPartial(type, diagnostics);
        if (FaultOf(type) is { } fault)
        {
            diagnostics.Add(
                Descriptors.UnusableUnionPacker, HeaderParser.Declaration(type)?.Identifier.GetLocation(), TypeNames.Text(type), fault);
        }

        INamedTypeSymbol? union = UnionOf(type);
        if (union is null || !CanHaveCases(union))
        {
            if (union is not { TypeKind: TypeKind.Error })
            {
                diagnostics.Add(
                    Descriptors.UnusableUnionPacker, ArgumentOf(type), TypeNames.Text(type),
                    union is { IsUnboundGenericType: true }
                        ? $"nothing stands for the type parameters of {TypeNames.Text(union)}; write type arguments"
                        : "only an interface or an abstract class can have cases");
            }

            return null;
        }

        IReadOnlyList<CaseModel> cases = UnionParser.FindCases(type, union, compilation, diagnostics);
        return FaultOf(type) is null && HeaderParser.CanContainCode(type)
            ? UnionParser.Model(type, cases, diagnostics) with { Packed = TypeNames.Code(union) }
            : null;
    }

    /// <summary>The union that a packer packs; null if the type is no packer of a union, or its attribute is wrong.</summary>
    public static INamedTypeSymbol? UnionOf(INamedTypeSymbol type)
        => KnownTypes.Find(type, KnownTypes.PackUnionOf)?.ConstructorArguments is [{ Value: INamedTypeSymbol union }] ? union : null;

    private static bool CanHaveCases(INamedTypeSymbol union)
        => !union.IsUnboundGenericType
        && (union.TypeKind == TypeKind.Interface || (union is { TypeKind: TypeKind.Class, IsAbstract: true, IsStatic: false }));

    private static string? FaultOf(INamedTypeSymbol type)
        => KnownTypes.Has(type, KnownTypes.QueueMessage) ? "it is a message; its packer is a class of its own"
        : type.IsStatic ? "it is static, and no static class can be a type argument"
        : type.TypeParameters.Length > 0 || type.ContainingType is { IsGenericType: true } ? "it has type parameters"
        : !KnownTypes.Has(type, KnownTypes.PackUnion) ? "it lists no cases with [PackUnion]"
        : Generated.FirstOrDefault(name => type.Name == name || type.GetMembers(name).Any(IsByHand)) is { } taken
            ? $"it has a member named {taken} already"
        : null;

    // The analyzer sees generated members, too, which do not count.
    private static bool IsByHand(ISymbol member)
        => !member.DeclaringSyntaxReferences.Any(
            part => part.SyntaxTree.FilePath.EndsWith(HintNames.UnionSuffix, StringComparison.Ordinal));

    private static Location? ArgumentOf(INamedTypeSymbol type)
        => KnownTypes.Find(type, KnownTypes.PackUnionOf)
            ?.ApplicationSyntaxReference?.GetSyntax() is AttributeSyntax { ArgumentList.Arguments: [var argument, ..] }
            ? argument.Expression.GetLocation()
            : HeaderParser.Declaration(type)?.Identifier.GetLocation();
}
