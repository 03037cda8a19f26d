namespace BlitQueue.Generator.Diagnose;

/// <content>How messages and queues are used.</content>
internal static partial class DiagnosticIds
{
    public const string FreshInLoop = "BQ0101";
    public const string NoMessage = "BQ0102";
    public const string OpenLease = "BQ0103";
    public const string NullMessage = "BQ0104";
    public const string EscapingMessage = "BQ0105";
    public const string UnreadDefault = "BQ0106";
}
