namespace BlitQueue.Generator.Model;

/// <summary>What stands for the type parameters of generic messages in a project.</summary>
/// <param name="HasGenerics">The project sees generic messages, and so any message may stand for a parameter.</param>
/// <param name="Types">By name.</param>
internal sealed record ArgumentsModel(bool HasGenerics, EquatableArray<WireType> Types)
{
    public static readonly ArgumentsModel None = new(false, EquatableArray<WireType>.Empty);
}
