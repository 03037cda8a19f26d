namespace BlitQueue.Generator.Diagnose;

/// <content>How messages and queues are used.</content>
internal static partial class Descriptors
{
    public static readonly DiagnosticDescriptor FreshInLoop = Warning(
        DiagnosticIds.FreshInLoop,
        "Each round of the loop unpacks into a new instance",
        "'{0}' begins anew in each round of the loop, so that nothing is reused: declare it before the loop");

    public static readonly DiagnosticDescriptor NoMessage = Error(
        DiagnosticIds.NoMessage,
        "The type is no message",
        "'{0}' is no message: {1}");

    public static readonly DiagnosticDescriptor OpenLease = Warning(
        DiagnosticIds.OpenLease,
        "The lease is never ended",
        "The lease is neither committed nor given back: no consumer gets its message while this process lives");

    public static readonly DiagnosticDescriptor NullMessage = Warning(
        DiagnosticIds.NullMessage,
        "null is not a message",
        "null is not a message: {0} throws ArgumentNullException");

    public static readonly DiagnosticDescriptor EscapingMessage = Warning(
        DiagnosticIds.EscapingMessage,
        "A message that is filled again is stored",
        "'{0}' is filled with the next message in each round of the loop, and the object that stores it here will show that one: "
            + "take a new one for each by 'out'");

    public static readonly DiagnosticDescriptor UnreadDefault = Warning(
        DiagnosticIds.UnreadDefault,
        "No code reads the queue's default subscription",
        "'{0}' is consumed through named subscriptions alone, and its subscription 'default' keeps every message: make the queue with "
            + "CreateDefaultSubscription = false, or consume 'default' too");
}
