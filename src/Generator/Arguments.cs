using BlitQueue.Generator.Emit;
using BlitQueue.Generator.Parse.Arguments;

namespace BlitQueue.Generator;

/// <summary>
/// The part of the pipeline for generic messages: it generates a file with a packer for each type argument.
/// </summary>
internal static class Arguments
{
    /// <summary>Adds the steps to the generator's pipeline.</summary>
    /// <param name="context">The compiler's registration.</param>
    /// <param name="models">The project's messages.</param>
    public static void Register(IncrementalGeneratorInitializationContext context, IncrementalValuesProvider<MessageModel> models)
    {
        IncrementalValueProvider<ArgumentsModel> written = context.CompilationProvider
            .Select(static (compilation, cancellation) => ArgumentFinder.Find(compilation, cancellation))
            .WithTrackingName(StepNames.Arguments);

        // Any message may be a type argument, because code of another assembly, which the generator cannot read, may use it as one.
        IncrementalValueProvider<EquatableArray<WireType>> messages = models
            .Select(static (model, _) => CanBeNamed(model.Header) ? Packed(model) : null)
            .Where(static type => type is not null)
            .Collect()
            .Select(static (types, _) => new EquatableArray<WireType>(types.OfType<WireType>()))
            .WithTrackingName(StepNames.Messages);

        // Without type arguments no file is generated.
        IncrementalValuesProvider<ArgumentsModel> tables = written.Combine(messages)
            .SelectMany(static (pair, _) => Tables(pair.Left, pair.Right));
        context.RegisterSourceOutput(tables, static (output, table) =>
        {
            output.AddSource(ArgumentsEmitter.HintName, ArgumentsEmitter.Emit(table));
            for (int i = 0; i < table.Homes.Count; i++)
            {
                output.AddSource(ArgumentsEmitter.HomeHintName(i), ArgumentsEmitter.EmitHome(table.Homes[i], i));
            }
        });
    }

    private static bool CanBeNamed(TypeHeader header) => header.IsOpenToAll && header.TypeParameters.Count == 0;

    private static WireType Packed(MessageModel model) => new()
    {
        Kind = model.IsStruct ? WireKind.StructMessage : WireKind.Message,
        Name = model.Header.Name,
        Word = "",
    };

    private static IEnumerable<ArgumentsModel> Tables(ArgumentsModel written, EquatableArray<WireType> messages)
    {
        if (!written.HasGenerics || written.Types.Count + written.Homes.Count + written.Carried.Count + messages.Count == 0)
        {
            yield break;
        }

        SortedDictionary<string, WireType> all = new(StringComparer.Ordinal);
        foreach (WireType? type in written.Types.Concat(messages))
        {
            if (!all.ContainsKey(type.Name))
            {
                all.Add(type.Name, type);
            }
        }

        yield return written with { Types = new EquatableArray<WireType>(all.Values) };
    }
}
