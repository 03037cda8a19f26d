namespace BlitQueue.Generator.Diagnose;

/// <content>Coming from another serializer.</content>
internal static partial class DiagnosticIds
{
    public const string CouldBeMessage = "BQ0201";
}
