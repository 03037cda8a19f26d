namespace BlitQueue.Generator.Diagnose;

/// <content>Coming from another serializer.</content>
internal static partial class Descriptors
{
    public static readonly DiagnosticDescriptor CouldBeMessage = Create(
        DiagnosticIds.CouldBeMessage,
        "The type could be a message",
        "'{0}' is marked for {1}: it could be a [QueueMessage]",
        DiagnosticSeverity.Info);
}
