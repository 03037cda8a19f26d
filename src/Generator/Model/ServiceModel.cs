namespace BlitQueue.Generator.Model;

/// <summary>An interface of calls, whose client and server are generated.</summary>
internal sealed record ServiceModel
{
    public required TypeHeader Header { get; init; }

    public required EquatableArray<ServiceMethod> Methods { get; init; }
}
