using System.ComponentModel;
using System.Reflection;
using BlitQueue.Generated;
using BlitQueue.Views;
using Xunit;

namespace BlitQueue.Tests.House;

/// <summary><c>using BlitQueue;</c> shows what a user types and nothing else.</summary>
public sealed class NamespaceTests
{
    private static readonly Type[] Exported = typeof(MappedQueue).Assembly.GetExportedTypes();

    [Fact]
    public void What_generated_code_alone_calls_has_a_namespace_of_its_own_and_no_editor_offers_it()
    {
        Assert.Equal([], In(typeof(ArgumentPacker<>)).Where(type => !IsHidden(type)).Select(type => type.FullName));
        Assert.Equal([], In(typeof(MappedQueue)).Where(IsHidden).Select(type => type.FullName));
    }

    [Fact]
    public void Views_have_a_namespace_of_their_own()
    {
        IEnumerable<Type> views = Exported.Where(type => type.Name.Split('`')[0].EndsWith("View", StringComparison.Ordinal));
        Assert.Equal(
            In(typeof(IPackView<>)).Where(type => type.Name.Contains("View", StringComparison.Ordinal)).ToHashSet(), views.ToHashSet());
    }

    [Fact]
    public void There_are_three_namespaces()
    {
        string all = string.Join(' ', Exported.Select(type => type.Namespace).Distinct().Order(StringComparer.Ordinal));
        Assert.Equal("BlitQueue BlitQueue.Generated BlitQueue.Views", all);
    }

    private static IEnumerable<Type> In(Type one) => Exported.Where(type => type.Namespace == one.Namespace);

    private static bool IsHidden(MemberInfo member)
        => member.GetCustomAttribute<EditorBrowsableAttribute>()?.State == EditorBrowsableState.Never;
}
