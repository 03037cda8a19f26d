using BlitQueue.Generator.Diagnose.Migration;

namespace BlitQueue.Generator.CodeFixes.Migration;

/// <summary>What another serializer's attribute is called here.</summary>
internal static class AttributeMap
{
    // Without arguments, or with the same ones.
    private static readonly Dictionary<string, string> Names = new(StringComparer.Ordinal)
    {
        ["MemoryPack.MemoryPackIgnoreAttribute"] = "PackIgnore",
        ["MessagePack.IgnoreMemberAttribute"] = "PackIgnore",
        ["MemoryPack.MemoryPackIncludeAttribute"] = "PackInclude",
        ["MemoryPack.MemoryPackOrderAttribute"] = "PackOrder",
        ["MessagePack.KeyAttribute"] = "PackOrder",
        ["MemoryPack.MemoryPackConstructorAttribute"] = "PackConstructor",
        ["MessagePack.SerializationConstructorAttribute"] = "PackConstructor",
        ["MemoryPack.MemoryPackUnionAttribute"] = "PackUnion",
        [RivalNames.MessagePackUnion] = "PackUnion",
        ["MemoryPack.MemoryPackOnSerializingAttribute"] = "OnPacking",
        ["MemoryPack.MemoryPackOnSerializedAttribute"] = "OnPacked",
        ["MemoryPack.MemoryPackOnDeserializingAttribute"] = "OnUnpacking",
        ["MemoryPack.MemoryPackOnDeserializedAttribute"] = "OnUnpacked",
        [RivalNames.MemoryPackable] = "QueueMessage",
        [RivalNames.MessagePackObject] = "QueueMessage",
    };

    /// <summary>The attribute to write instead; null with true: none, the old one goes.</summary>
    /// <returns>false where the attribute is none of another serializer's, or has no counterpart: it stays.</returns>
    public static bool TryMap(SemanticModel model, AttributeSyntax attribute, out AttributeSyntax? mapped)
    {
        mapped = null;
        if (model.GetSymbolInfo(attribute).Symbol?.ContainingType is not { } type
            || !Names.TryGetValue(type.ToDisplayString(), out string? name))
        {
            return false;
        }

        // A member that MessagePack knows by its name is known by it here without a word.
        if (name == "PackOrder" && !IsNumber(model, attribute))
        {
            return true;
        }

        mapped = attribute
            .WithName(SyntaxFactory.ParseName(Imports.Name(model, attribute.SpanStart, name)).WithTriviaFrom(attribute.Name))
            .WithArgumentList(name == "QueueMessage" ? Layout(model, attribute) : attribute.ArgumentList);
        return true;
    }

    private static bool IsNumber(SemanticModel model, AttributeSyntax attribute)
        => attribute.ArgumentList is { Arguments.Count: > 0 } list && model.GetConstantValue(list.Arguments[0].Expression).Value is int;

    // MemoryPack's GenerateType names two layouts that exist here under the same names.
    // What else may stand there says nothing about the bytes.
    private static AttributeArgumentListSyntax? Layout(SemanticModel model, AttributeSyntax attribute)
    {
        foreach (AttributeArgumentSyntax argument in attribute.ArgumentList?.Arguments ?? default)
        {
            if (model.GetSymbolInfo(argument.Expression).Symbol is IFieldSymbol { Name: "VersionTolerant" or "CircularReference" } chosen)
            {
                string layout = Imports.TypeName(model, attribute.SpanStart, "PackLayout");
                return SyntaxFactory.ParseAttributeArgumentList($"(Layout = {layout}.{chosen.Name})");
            }
        }

        return null;
    }
}
