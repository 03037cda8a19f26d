using System.Reflection;
using BlitQueue.Generator.Parse;
using BlitQueue.Shapes;

namespace BlitQueue.Generator.Tests.Completeness;

/// <summary>What mutations, dirty memory and the trim and AOT analyzers work on has every type in it that can be packed.</summary>
public class ShapesTests
{
    private static readonly HashSet<string> Members =
    [
        .. typeof(Values).Assembly.GetTypes()
            .SelectMany(type => type.GetProperties(BindingFlags.Instance | BindingFlags.Public))
            .Select(property => Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType)
            .Select(type => $"{type.Namespace}.{type.Name}"),
    ];

    [Fact]
    public void Every_container_is_a_member_of_a_shape()
        => Assert.Equal([], Containers.Collections.Concat(Containers.Dictionaries).Select(container => container.Type).Except(Members));

    [Fact]
    public void Every_container_can_be_made_at_random()
        => Assert.Equal([], Containers.Collections.Concat(Containers.Dictionaries)
            .Select(container => container.Type[(container.Type.LastIndexOf('.') + 1)..])
            .Where(name => !RandomContainers.Knows(name)));

    [Fact]
    public void Every_known_type_is_a_member_of_a_shape()
    {
        foreach (string? name in KnownTypesOf(typeof(KnownValues), "Named").Concat(KnownTypesOf(typeof(Parse.Kinds.ObjectKind), "Schemas")))
        {
            Assert.Contains(name, Members);
        }
    }

    private static IEnumerable<string> KnownTypesOf(Type type, string field)
        => ((System.Collections.IDictionary)type.GetField(field, BindingFlags.NonPublic | BindingFlags.Static)!.GetValue(
            null)!).Keys.Cast<string>();
}
