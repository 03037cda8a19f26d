using System.Collections;
using System.Reflection;
using BlitQueue.Generator.Model;
using BlitQueue.Generator.Parse;
using BlitQueue.Generator.Parse.Kinds;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Tests.Golden;

/// <summary>The bytes of every wire form stay as they are, and none is without a row here.</summary>
public class GoldenTests
{
    private static readonly string[] Sources = [GoldenRows.Common, .. GoldenRows.All.Select((row, number) => row.Source($"G{number}"))];

    private static readonly LoadedAssembly Loaded = LoadedAssembly.Of(Sources);

    public static TheoryData<int> Rows { get; } = [.. Enumerable.Range(0, GoldenRows.All.Count)];

    [Theory]
    [MemberData(nameof(Rows))]
    public void A_wire_form_is_for_ever(int number)
    {
        GoldenRow row = GoldenRows.All[number];
        var target = Target.Of(Loaded.Type($"G{number}"));
        object message = Activator.CreateInstance(target.Type)!;
        PropertyInfo property = target.Type.GetProperty("Value")!;
        if (row.Value == "default!")
        {
            property.SetValue(message, RandomContainers.Of(property.PropertyType, 7, "x"));
        }

        byte[] bytes = target.Pack(message);
        Assert.True(row.IsOneOfMany || row.Message() == Convert.ToHexString(bytes),
            $"{row.Source("Golden")}: {Convert.ToHexString(bytes)}, not {row.Message()}");

        // Half of a pair of surrogates has no UTF-8; anything else comes back.
        if (row.Value == "\"\\uD800\"")
        {
            return;
        }

        target.Reads(Convert.FromHexString(row.Message()), message);
        target.RoundTrip(message, bytes);
    }

    [Fact]
    public void Every_kind_has_a_row()
    {
        var kinds = Types().Select(type => type.Kind).ToHashSet();
        Assert.Equal([], Enum.GetValues<WireKind>().Except(kinds));
    }

    [Fact]
    public void Every_known_type_has_a_row()
    {
        CSharpCompilation compilation = Compile.Source(Sources);
        var seen = Members(compilation).Select(member => member.Type).ToList();
        IEnumerable<string> containers = Containers.Collections.Concat(Containers.Dictionaries).Select(container => container.Type);
        foreach (string? name in KeysOf(typeof(KnownValues), "Named").Concat(KeysOf(typeof(ObjectKind), "Schemas")).Cast<string>()
            .Concat(containers))
        {
            Assert.True(seen.Exists(type => KnownTypes.Is(type, name)), $"{name} has no golden bytes");
        }

        foreach (SpecialType special in KeysOf(typeof(KnownValues), "Special"))
        {
            Assert.True(seen.Exists(type => type.SpecialType == special), $"{special} has no golden bytes");
        }
    }

    [Fact]
    public void Every_layout_and_encoding_has_a_row()
    {
        foreach (string? layout in Enum.GetNames<PackLayout>().Where(name => name != nameof(PackLayout.Sequential)))
        {
            Assert.Contains($"PackLayout.{layout}", string.Concat(Sources), StringComparison.Ordinal);
        }

        Assert.Contains("StringEncoding.Utf16", string.Concat(Sources), StringComparison.Ordinal);
        Assert.Contains("PackUnion", string.Concat(Sources), StringComparison.Ordinal);
    }

    [Fact]
    public void Every_ready_packer_has_a_row()
    {
        foreach (string name in KeysOf(typeof(CustomKind), "Ready"))
        {
            Assert.Contains($"typeof({name[(name.LastIndexOf('.') + 1)..]})", string.Concat(Sources), StringComparison.Ordinal);
        }
    }

    // As the generator classifies them, with what is inside.
    private static IEnumerable<WireType> Types()
    {
        CSharpCompilation compilation = Compile.Source(Sources);
        var named = NamedPackers.None(compilation);
        return Members(compilation).SelectMany(member => Open(member).Append(member)).SelectMany(member =>
        {
            AttributeData? custom = KnownTypes.Find(member, KnownTypes.PackWith);
            WireType? type = custom is null
                ? WireKinds.Classify(member.Type, new Rejection(named))
                : CustomKind.Classify(member.Type, member, custom, new Rejection(named));
            Assert.NotNull(type);
            return ElementsOf(member.Type).Append(type);
        });
    }

    // Of an inline array, which is a message of one member.
    private static IEnumerable<WireType> ElementsOf(ITypeSymbol type)
        => type is INamedTypeSymbol named && InlineArrays.LengthOf(named) > 0
            ? MessageParser.Parse(named, Compile.Source(Sources), new DiagnosticBag(), default)!.Members.Select(member => member.Type)
            : [];

    private static IEnumerable<IPropertySymbol> Members(Compilation compilation)
        => GoldenRows.All.Select((_, number) => compilation.GetTypeByMetadataName($"G{number}")!.GetMembers("Value")
            .OfType<IPropertySymbol>().Single());

    // Of a generic message, as it is declared.
    private static IEnumerable<IPropertySymbol> Open(IPropertySymbol member)
        => member.Type is INamedTypeSymbol { IsGenericType: true, OriginalDefinition: var open }
            && KnownTypes.Has(open, KnownTypes.QueueMessage)
            ? open.GetMembers().OfType<IPropertySymbol>()
            : [];

    private static IEnumerable KeysOfField(object dictionary) => ((IDictionary)dictionary).Keys;

    private static IEnumerable<object> KeysOf(Type type, string field)
        => KeysOfField(type.GetField(field, BindingFlags.NonPublic | BindingFlags.Static)!.GetValue(null)!).Cast<object>();
}
