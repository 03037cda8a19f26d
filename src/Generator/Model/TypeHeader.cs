namespace BlitQueue.Generator.Model;

/// <summary>The declarations around the generated part of a type.</summary>
internal sealed record TypeHeader
{
    /// <summary>Empty for the global namespace.</summary>
    public required string Namespace { get; init; }

    /// <summary>The declarations around the type, outermost first: <c>partial class Outer</c>.</summary>
    public required EquatableArray<string> Containers { get; init; }

    /// <summary>The type's own declaration: <c>partial record struct Point</c>.</summary>
    public required string Declaration { get; init; }

    /// <summary>The type parameters in scope, the containers' included.</summary>
    public required EquatableArray<string> TypeParameters { get; init; }

    /// <summary>Whether all code of the project can name the type.</summary>
    public required bool IsOpenToAll { get; init; }

    /// <summary>The fully qualified name, as C# writes it.</summary>
    public required string Name { get; init; }

    /// <summary>The name without global::, for people.</summary>
    public required string DisplayName { get; init; }

    public required string HintName { get; init; }
}
