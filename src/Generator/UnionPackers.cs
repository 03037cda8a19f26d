using BlitQueue.Generator.Emit;
using BlitQueue.Generator.Parse;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator;

/// <summary>The pipeline of classes marked [PackUnionOf]: a second one beside that of the messages.</summary>
internal static class UnionPackers
{
    public static void Register(IncrementalGeneratorInitializationContext context) => MarkedTypes.Register(
        context,
        KnownTypes.PackUnionOf,
        StepNames.UnionPacker,
        isDeclaration: static node => node is TypeDeclarationSyntax,
        parse: static target => Parse(target),
        nameOf: static model => model.Header.HintName,
        emit: MessageEmitter.Emit);

    // The packer's file has a name that no message's file can have.
    private static MessageModel? Parse(GeneratorAttributeSyntaxContext target) => UnionPackerParser.Parse(target) is { } model
        ? model with { Header = model.Header with { HintName = HintNames.OfUnion(model.Header.HintName) } }
        : null;
}
