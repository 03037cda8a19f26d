using BlitQueue.Generator.Emit;
using BlitQueue.Generator.Parse;
using BlitQueue.Generator.Parse.Services;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator;

/// <summary>The pipeline of interfaces marked [QueueService].</summary>
internal static class Services
{
    public static void Register(IncrementalGeneratorInitializationContext context) => MarkedTypes.Register(
        context,
        KnownTypes.QueueService,
        StepNames.Service,
        isDeclaration: static node => node is InterfaceDeclarationSyntax,
        parse: static target => ServiceParser.Parse((INamedTypeSymbol)target.TargetSymbol, new DiagnosticBag()),
        nameOf: static model => HintNames.OfService(model.Header.HintName),
        emit: ServiceEmitter.Emit);
}
