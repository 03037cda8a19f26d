using BlitQueue.Generator.Diagnose;

namespace BlitQueue.Generator.Parse;

/// <summary>Why a type cannot be packed; and what is known beside the type of what is asked about.</summary>
/// <param name="named">The packers that the project names for types.</param>
internal sealed class Rejection(NamedPackers named)
{
    /// <summary>Null while nothing is refused, and where the compiler or the type's own diagnostics say it already.</summary>
    public DiagnosticDescriptor? Descriptor { get; private set; }

    public string Reason { get; private set; } = "";

    public bool IsMade { get; private set; }

    /// <summary>The collections of the user's own that are being looked into: one may hold itself.</summary>
    public Stack<ITypeSymbol> Open { get; } = new();

    /// <summary>The packers that the project names for types.</summary>
    public NamedPackers Named { get; } = named;

    /// <summary>What a member's own packer packs, wherever in the member that stands; null for a member without.</summary>
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
