using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>Finds the type or method that a name in the source stands for.</summary>
internal static class ClosedNames
{
    public static ISymbol? SymbolOf(SimpleNameSyntax name, SemanticModel model, CancellationToken cancellation)
    {
        if (GenericUses.IsCalled(name))
        {
            return model.GetSymbolInfo(name, cancellation).Symbol is IMethodSymbol method ? Unreduced(method) : null;
        }

        // Bound separately: GetSymbolInfo for the name in its method would bind the whole method.
        ExpressionSyntax whole = Whole(name);
        TypeSyntax type = whole as TypeSyntax ?? SyntaxFactory.ParseTypeName(whole.ToString());
        return model.GetSpeculativeTypeInfo(name.SpanStart, type, SpeculativeBindingOption.BindAsTypeOrNamespace).Type;
    }

    // The whole dotted name, with its qualifier and the nested types behind it: Shop.Outer<int>.Inner.
    private static ExpressionSyntax Whole(SimpleNameSyntax name)
    {
        ExpressionSyntax whole = name;
        while (true)
        {
            switch (whole.Parent)
            {
                case NameSyntax qualified and (QualifiedNameSyntax or AliasQualifiedNameSyntax):
                    whole = qualified;
                    break;
                case MemberAccessExpressionSyntax access when access.Name == whole:
                    whole = access;
                    break;
                default:
                    return whole;
            }
        }
    }

    // For an extension method that is called on its first argument: the static method with the same type arguments.
    private static IMethodSymbol Unreduced(IMethodSymbol method)
    {
        if (method.ReducedFrom is not { IsGenericMethod: true } from)
        {
            return method;
        }

        var written = method.TypeParameters.Zip(method.TypeArguments, (parameter, argument) => (parameter, argument))
            .ToDictionary(pair => pair.parameter.Name, pair => pair.argument);
        return from.Construct(
            [.. from.TypeParameters.Select(parameter => method.GetTypeInferredDuringReduction(parameter) ?? written[parameter.Name])]);
    }
}
