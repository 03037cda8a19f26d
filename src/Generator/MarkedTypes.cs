namespace BlitQueue.Generator;

/// <summary>A pipeline that finds declarations by an attribute and generates a file for each.</summary>
internal static class MarkedTypes
{
    /// <summary>Adds the pipeline.</summary>
    /// <param name="context">The compiler's registration.</param>
    /// <param name="attribute">The attribute's full name.</param>
    /// <param name="step">The name by which tests find the models.</param>
    /// <param name="isDeclaration">Whether a syntax node with the attribute is such a declaration.</param>
    /// <param name="parse">Makes the model; null if it is not usable, which the analyzer reports.</param>
    /// <param name="nameOf">The name of the file, which gets a number if another differs from it in letter case alone.</param>
    /// <param name="emit">The file's text.</param>
    public static void Register<M>(
        IncrementalGeneratorInitializationContext context, string attribute, string step, Func<SyntaxNode, bool> isDeclaration,
        Func<GeneratorAttributeSyntaxContext, M?> parse, Func<M, string> nameOf, Func<M, string> emit)
        where M : class
    {
        IncrementalValuesProvider<M> models = context.SyntaxProvider
            .ForAttributeWithMetadataName(attribute, (node, _) => isDeclaration(node), (target, _) => parse(target))
            .Where(static model => model is not null)
            .Select(static (model, _) => model!)
            .WithTrackingName(step);

        IncrementalValueProvider<EquatableArray<string>> clashes = models
            .Select((model, _) => nameOf(model))
            .Collect()
            .Select(static (names, _) => HintNames.Clashing(names));

        context.RegisterSourceOutput(models.Combine(clashes), (output, pair)
            => output.AddSource(HintNames.Unique(nameOf(pair.Left), pair.Right), emit(pair.Left)));
    }
}
