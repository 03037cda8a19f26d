namespace BlitQueue.Generator.Model;

/// <summary>The type arguments of generic messages in a project.</summary>
/// <param name="HasGenerics">Whether the project can name generic messages: then any message may be a type argument.</param>
/// <param name="Types">The type arguments that all code can name, sorted by name.</param>
/// <param name="Homes">The other type arguments, by the type inside which they can be named.</param>
/// <param name="Carried">The messages that generic types and methods of the project construct from their own type parameters.</param>
internal sealed record ArgumentsModel(
    bool HasGenerics, EquatableArray<WireType> Types, EquatableArray<HomeModel> Homes, EquatableArray<string> Carried)
{
    public static readonly ArgumentsModel None =
        new(false, EquatableArray<WireType>.Empty, EquatableArray<HomeModel>.Empty, EquatableArray<string>.Empty);
}
