namespace BlitQueue.Generator.Diagnose;

/// <summary>Every diagnostic there is.</summary>
internal static partial class Descriptors
{
    public static readonly DiagnosticDescriptor NotPartial = Error(
        DiagnosticIds.NotPartial,
        "A message type must be partial",
        "'{0}' must be partial, so that its packing can be generated into it");

    public static readonly DiagnosticDescriptor ContainerNotPartial = Error(
        DiagnosticIds.ContainerNotPartial,
        "A type that contains a message must be partial",
        "'{0}' must be partial, because it contains the message '{1}'");

    public static readonly DiagnosticDescriptor CannotPack = Error(
        DiagnosticIds.CannotPack,
        "The member's type cannot be packed",
        "'{0}' cannot be packed: {1}");

    public static readonly DiagnosticDescriptor CannotBlit = Error(
        DiagnosticIds.CannotBlit,
        "The struct cannot be copied as it lies in memory",
        "'{0}' cannot be packed: {1}");

    public static readonly DiagnosticDescriptor CannotRestore = Error(
        DiagnosticIds.CannotRestore,
        "The member could be packed but not restored",
        "'{0}' could be packed but not restored: {1}");

    public static readonly DiagnosticDescriptor UnusableArgument = Error(
        DiagnosticIds.UnusableArgument,
        "The type argument cannot be packed",
        "'{0}' cannot be packed as part of '{1}': {2}");

    public static readonly DiagnosticDescriptor AbstractMessage = Error(
        DiagnosticIds.AbstractMessage,
        "An abstract message needs its cases",
        "'{0}' cannot be constructed: list its cases with [PackUnion], or mark the types derived from it instead");

    public static readonly DiagnosticDescriptor UnusableMember = Error(
        DiagnosticIds.UnusableMember,
        "The member cannot take part in the message",
        "'{0}' cannot be packed: {1}");

    public static readonly DiagnosticDescriptor NoConstructor = Error(
        DiagnosticIds.NoConstructor,
        "Unpacking finds no constructor to call",
        "'{0}' cannot be constructed when unpacking: {1}");

    public static readonly DiagnosticDescriptor TooLarge = Error(
        DiagnosticIds.TooLarge,
        "The message has too many members",
        "'{0}' has {1}; the limit is {2}");

    public static readonly DiagnosticDescriptor UnusableType = Error(
        DiagnosticIds.UnusableType,
        "The type cannot be a message",
        "'{0}' cannot be a message: {1}");

    public static readonly DiagnosticDescriptor SeveralParts = Warning(
        DiagnosticIds.SeveralParts,
        "The members stand in several parts of the type",
        "'{0}' stands in another part of '{1}' than the members before it: their order depends on that of the files");

    public static readonly DiagnosticDescriptor UnusableCallback = Error(
        DiagnosticIds.UnusableCallback,
        "The method cannot be a callback",
        "'{0}' cannot be a callback: {1}");

    public static readonly DiagnosticDescriptor UnusablePacker = Error(
        DiagnosticIds.UnusablePacker,
        "The type cannot pack the member",
        "'{0}' cannot be packed: {1}");

    public static readonly DiagnosticDescriptor UnusableOrder = Error(
        DiagnosticIds.UnusableOrder,
        "The member's order is not clear",
        "'{0}' has no number of its own: {1}");

    public static readonly DiagnosticDescriptor LostPart = Warning(
        DiagnosticIds.LostPart,
        "A part of the collection is not packed",
        "'{0}' loses {1}");

    public static readonly DiagnosticDescriptor UnusableCase = Error(
        DiagnosticIds.UnusableCase,
        "The type cannot be a case of the union",
        "'{0}' cannot be a case of '{1}': {2}");

    public static readonly DiagnosticDescriptor CannotFill = Error(
        DiagnosticIds.CannotFill,
        "A circular message must exist before its members do",
        "'{0}' cannot be part of a cycle: {1}");

    public static readonly DiagnosticDescriptor UnusableUnionPacker = Error(
        DiagnosticIds.UnusableUnionPacker,
        "The class cannot pack a union's cases",
        "'{0}' cannot pack cases: {1}");

    public static readonly DiagnosticDescriptor UnusableService = Error(
        DiagnosticIds.UnusableService,
        "The interface cannot be a service",
        "'{0}' cannot be a service: {1}");

    public static readonly DiagnosticDescriptor UnusableCall = Error(
        DiagnosticIds.UnusableCall,
        "The member cannot be a call",
        "'{0}' cannot be a call: {1}");

    private const string Category = "BlitQueue";
    private const string Pages = "https://github.com/blitqueue/blitqueue/blob/main/docs/diagnostics/";

    private static DiagnosticDescriptor Error(string id, string title, string message)
        => Create(id, title, message, DiagnosticSeverity.Error);

    private static DiagnosticDescriptor Warning(string id, string title, string message)
        => Create(id, title, message, DiagnosticSeverity.Warning);

    private static DiagnosticDescriptor Create(string id, string title, string message, DiagnosticSeverity severity)
        => new(id, title, message, Category, severity, isEnabledByDefault: true, helpLinkUri: Pages + id + ".md");
}
