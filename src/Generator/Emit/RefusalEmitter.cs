namespace BlitQueue.Generator.Emit;

/// <summary>
/// For a type with errors: writes members that compile, so that the compiler reports the errors and not their consequences, and that throw,
/// so that no data is lost if the analyzer is switched off.
/// </summary>
internal static class RefusalEmitter
{
    public static void Emit(MessageModel model, SourceWriter writer)
    {
        string refusal = $"throw new {Names.NotSupported}(\"{model.Header.DisplayName} cannot be packed: its BQ diagnostics say why.\")";
        writer.Line("/// <summary>Not possible: this type has errors.</summary>");
        writer.Line(Signatures.Pack(model));
        writer.Inner($"=> {refusal};");
        writer.Line();
        writer.Line("/// <summary>Not possible: this type has errors.</summary>");
        writer.Line(Signatures.Unpack(model));
        writer.Inner($"=> {refusal};");
        writer.Line();
        writer.Line("/// <summary>Not possible: this type has errors.</summary>");
        writer.Line(Signatures.Schema(model));
        writer.Inner($"=> {refusal};");
        if (model.IsInterface)
        {
            UnionEmitter.WriteContract(writer, model);
        }
    }
}
