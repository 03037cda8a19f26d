namespace BlitQueue.Generator.Model;

/// <summary>What stands for the type parameters of generic messages in a project.</summary>
/// <param name="HasGenerics">The project sees generic messages, and so any message may stand for a parameter.</param>
/// <param name="Types">Those that any code can name, by name.</param>
/// <param name="Homes">The others, by where they can be named.</param>
/// <param name="Carried">The messages that generic types and methods of the project make of their own type parameters.</param>
internal sealed record ArgumentsModel(
    bool HasGenerics, EquatableArray<WireType> Types, EquatableArray<HomeModel> Homes, EquatableArray<string> Carried)
{
    public static readonly ArgumentsModel None =
        new(false, EquatableArray<WireType>.Empty, EquatableArray<HomeModel>.Empty, EquatableArray<string>.Empty);
}
