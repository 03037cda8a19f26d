using System.Runtime.CompilerServices;

namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>The simple names that the generic messages of a referenced assembly are written with. Looked for once per reference.</summary>
internal sealed class ReferencedNames
{
    private const string Runtime = "BlitQueue";

    private static readonly ConditionalWeakTable<MetadataReference, ReferencedNames> Known = new();

    private ReferencedNames(IReadOnlyList<string> names) => Names = names;

    public IReadOnlyList<string> Names { get; }

    public static IReadOnlyList<string> Of(MetadataReference reference, Compilation compilation)
    {
        if (Known.TryGetValue(reference, out ReferencedNames? known))
        {
            return known.Names;
        }

        ReferencedNames names = compilation.GetAssemblyOrModuleSymbol(reference) is IAssemblySymbol assembly && UsesRuntime(assembly)
            ? new ReferencedNames([.. Find(assembly.GlobalNamespace, compilation)])
            : new ReferencedNames([]);
        return Known.GetValue(reference, _ => names).Names;
    }

    private static bool UsesRuntime(IAssemblySymbol assembly)
        => assembly.Modules.Any(module => module.ReferencedAssemblies.Any(other => other.Name == Runtime));

    private static IEnumerable<string> Find(INamespaceOrTypeSymbol place, Compilation compilation)
    {
        foreach (INamespaceOrTypeSymbol member in place.GetMembers().OfType<INamespaceOrTypeSymbol>())
        {
            if (member is INamedTypeSymbol type)
            {
                foreach (string name in GenericMessages.NamesOf(type, compilation))
                {
                    yield return name;
                }
            }

            foreach (string name in Find(member, compilation))
            {
                yield return name;
            }
        }
    }
}
