using System.Collections.Immutable;
using System.Composition;
using BlitQueue.Generator.Diagnose;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.CodeFixes;

/// <summary>Leaves a member that cannot be packed, or not be restored, out of the message.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(IgnoreMemberFix))]
[Shared]
public sealed class IgnoreMemberFix : CodeFixProvider
{
    private const string Title = "Leave the member out with [PackIgnore]";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = [DiagnosticIds.CannotPack, DiagnosticIds.CannotBlit, DiagnosticIds.CannotRestore];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        SemanticModel? model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            // A record's parameter stays one, and an inherited member is declared elsewhere.
            SyntaxNode? node = root?.FindToken(diagnostic.Location.SourceSpan.Start).Parent;
            if (node?.FirstAncestorOrSelf<ParameterSyntax>() is not null || node?.FirstAncestorOrSelf<MemberDeclarationSyntax>() is not { } member)
            {
                continue;
            }

            if (member is not (PropertyDeclarationSyntax or FieldDeclarationSyntax))
            {
                continue;
            }

            string name = Imports.Name(model!, member.SpanStart, "PackIgnore");
            context.RegisterCodeFix(
                CodeAction.Create(Title, _ => Task.FromResult(Ignore(context.Document, root!, member, name)), equivalenceKey: Title), diagnostic);
        }
    }

    private static Document Ignore(Document document, SyntaxNode root, MemberDeclarationSyntax member, string name)
    {
        AttributeListSyntax list = SyntaxFactory.AttributeList(SyntaxFactory.SingletonSeparatedList(SyntaxFactory.Attribute(SyntaxFactory.ParseName(name))))
            .WithLeadingTrivia(member.GetLeadingTrivia())
            .WithTrailingTrivia(SyntaxFactory.Space);
        MemberDeclarationSyntax ignored = member.WithLeadingTrivia();
        return document.WithSyntaxRoot(root.ReplaceNode(member, ignored.WithAttributeLists(ignored.AttributeLists.Insert(0, list))));
    }
}
