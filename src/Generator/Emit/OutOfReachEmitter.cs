using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Emit;

/// <summary>Writes attributes that tell messages of other assemblies which members of a base class they could not pack.</summary>
internal static class OutOfReachEmitter
{
    public static void Emit(IEnumerable<OutOfReachModel> classes, SourceWriter writer)
    {
        foreach (OutOfReachModel model in classes)
        {
            IEnumerable<string> texts = model.Members.Prepend(model.Type).Select(text => SymbolDisplay.FormatLiteral(text, quote: true));
            writer.Line($"[assembly: global::BlitQueue.Generated.OutOfReach({string.Join(", ", texts)})]");
        }
    }
}
