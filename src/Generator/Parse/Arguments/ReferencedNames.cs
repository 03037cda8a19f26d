using System.Runtime.CompilerServices;

namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>
/// The simple names of the generic messages of a referenced assembly, and of its generic types and methods that construct some. Found once
/// per reference.
/// </summary>
internal sealed class ReferencedNames
{
    private const string Runtime = "BlitQueue";

    private static readonly ConditionalWeakTable<MetadataReference, ReferencedNames> Known = new();

    private ReferencedNames(IReadOnlyList<string> names, IReadOnlyList<string> carried) => (Names, Carried) = (names, carried);

    public IReadOnlyList<string> Names { get; }

    /// <summary>The messages that its generic types and methods construct from their type parameters.</summary>
    public IReadOnlyList<string> Carried { get; }

    public static ReferencedNames Of(MetadataReference reference, Compilation compilation)
    {
        if (Known.TryGetValue(reference, out ReferencedNames? known))
        {
            return known;
        }

        ReferencedNames names = compilation.GetAssemblyOrModuleSymbol(reference) is IAssemblySymbol assembly && UsesRuntime(assembly)
            ? Of(assembly, compilation)
            : new ReferencedNames([], []);
        return Known.GetValue(reference, _ => names);
    }

    private static ReferencedNames Of(IAssemblySymbol assembly, Compilation compilation)
    {
        List<string> carried = [.. CarriedForms.Of(assembly)];
        IEnumerable<string> carriers = carried.Select(form => CarriedForms.Read(form, compilation)).OfType<INamedTypeSymbol>()
            .SelectMany(CarriedForms.Carriers);
        return new ReferencedNames([.. Find(assembly.GlobalNamespace, compilation), .. carriers], carried);
    }

    private static bool UsesRuntime(IAssemblySymbol assembly)
        => assembly.Modules.Any(module => module.ReferencedAssemblies.Any(other => other.Name == Runtime));

    private static IEnumerable<string> Find(INamespaceOrTypeSymbol scope, Compilation compilation)
    {
        foreach (INamespaceOrTypeSymbol member in scope.GetMembers().OfType<INamespaceOrTypeSymbol>())
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
