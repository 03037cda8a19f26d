using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Tests.Completeness;

public class KnownTypesTests
{
    [Fact]
    public void Every_name_resolves()
    {
        CSharpCompilation compilation = Compile.Source();
        foreach (FieldInfo field in typeof(KnownTypes).GetFields(BindingFlags.Public | BindingFlags.Static))
        {
            string name = (string)field.GetRawConstantValue()!;
            INamedTypeSymbol? type = compilation.GetTypeByMetadataName(name);
            Assert.True(type is not null, $"{name} does not exist");
            Assert.True(KnownTypes.Is(type, name), $"{name} is not recognised");
        }
    }

    [Fact]
    public void A_namesake_elsewhere_is_another_type()
    {
        CSharpCompilation compilation = Compile.Source("""
            namespace Other.BlitQueue { class PackIgnoreAttribute; }
            namespace BlitQueue.Deeper { class PackIgnoreAttribute; }
            class PackIgnoreAttribute;
            class Holder { class PackIgnoreAttribute; }
            """);
        foreach (string name in (string[])["Other.BlitQueue.PackIgnoreAttribute", "BlitQueue.Deeper.PackIgnoreAttribute",
            "PackIgnoreAttribute", "Holder+PackIgnoreAttribute"])
        {
            Assert.False(KnownTypes.Is(compilation.GetTypeByMetadataName(name), KnownTypes.PackIgnore), name);
        }
    }
}
