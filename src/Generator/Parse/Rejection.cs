using BlitQueue.Generator.Diagnose;

namespace BlitQueue.Generator.Parse;

/// <summary>Gets the reason why a type cannot be packed, and has the context in which the type is classified.</summary>
/// <param name="named">The packers that the project names for types.</param>
internal sealed class Rejection(NamedPackers named)
{
    /// <summary>
    /// The diagnostic; null if the type can be packed, and if the compiler or the type's own diagnostics report the reason.
    /// </summary>
    public DiagnosticDescriptor? Descriptor { get; private set; }

    public string Reason { get; private set; } = "";

    public bool IsMade { get; private set; }

    /// <summary>The user's collections that are being classified now: one may contain itself.</summary>
    public Stack<ITypeSymbol> Open { get; } = new();

    /// <summary>The packers that the project names for types.</summary>
    public NamedPackers Named { get; } = named;

    /// <summary>
    /// Gives the kind of a type that the member's own packer packs, anywhere in the member's type; null for a member without a packer.
    /// </summary>
    public Func<ITypeSymbol, WireType?>? Packer { get; set; }

    public WireType? CannotPack(string reason) => Make(Descriptors.CannotPack, reason);

    public WireType? CannotBlit(string reason) => Make(Descriptors.CannotBlit, reason);

    public WireType? UnusablePacker(string reason) => Make(Descriptors.UnusablePacker, reason);

    public WireType? Silent() => Make(null, "");

    private WireType? Make(DiagnosticDescriptor? descriptor, string reason)
    {
        IsMade = true;
        Descriptor = descriptor;
        Reason = reason;
        return null;
    }
}
