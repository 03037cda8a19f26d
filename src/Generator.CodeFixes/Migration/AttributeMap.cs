using BlitQueue.Generator.Diagnose.Migration;

namespace BlitQueue.Generator.CodeFixes.Migration;

/// <summary>Which attribute of this library replaces another serializer's attribute.</summary>
internal static class AttributeMap
{
    // Pairs of attributes without arguments, or with the same arguments.
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

    /// <summary>The attribute to write instead; null, with true as the result, if the old one is only removed.</summary>
    /// <returns>false if the attribute stays: it belongs to no other serializer, or has no counterpart.</returns>
    public static bool TryMap(SemanticModel model, AttributeSyntax attribute, out AttributeSyntax? mapped)
    {
        mapped = null;
        if (model.GetSymbolInfo(attribute).Symbol?.ContainingType is not { } type
            || !Names.TryGetValue(type.ToDisplayString(), out string? name))
        {
            return false;
        }

        // [Key("name")] is only removed: a member is known by its name here without an attribute.
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

    // MemoryPack's GenerateType has two layouts that exist here under the same names. Its other values do not change the bytes.
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
