namespace BlitQueue.Generator.CodeFixes;

/// <summary>Adds [PackIgnore] to a member that cannot be packed or cannot be restored.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(IgnoreMemberFix))]
[Shared]
public sealed class IgnoreMemberFix() : SyntaxFix<MemberDeclarationSyntax>(
    "Leave the member out with [PackIgnore]", DiagnosticIds.CannotPack, DiagnosticIds.CannotBlit, DiagnosticIds.CannotRestore)
{
    // Not for a record's parameter, which cannot have the attribute, nor for an inherited member, which is declared elsewhere.
    private protected override MemberDeclarationSyntax? Find(SyntaxNode root, Diagnostic diagnostic)
    {
        SyntaxNode? node = root.FindToken(diagnostic.Location.SourceSpan.Start).Parent;
        if (node?.FirstAncestorOrSelf<ParameterSyntax>() is not null)
        {
            return null;
        }

        MemberDeclarationSyntax? member = node?.FirstAncestorOrSelf<MemberDeclarationSyntax>();
        return member is PropertyDeclarationSyntax or FieldDeclarationSyntax ? member : null;
    }

    private protected override async Task<Solution> FixAsync(
        Document document, MemberDeclarationSyntax member, CancellationToken cancellation)
    {
        SemanticModel? model = await document.GetSemanticModelAsync(cancellation).ConfigureAwait(false);
        MemberDeclarationSyntax ignored = LeadingAttribute.AddTo(
            member, Imports.Name(model!, member.SpanStart, "PackIgnore"), member);
        return await RewriteAsync(document, root => root.ReplaceNode(member, ignored), cancellation).ConfigureAwait(false);
    }
}
