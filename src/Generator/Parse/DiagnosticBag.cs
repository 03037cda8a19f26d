namespace BlitQueue.Generator.Parse;

/// <summary>Collects the diagnostics of a parse. The analyzer reports them; the generator only asks whether there are any.</summary>
internal sealed class DiagnosticBag
{
    private readonly List<Diagnostic> _reported = [];

    public IReadOnlyList<Diagnostic> Reported => _reported;

    /// <summary>Whether no code can be generated for the type; also if the compiler's or another type's diagnostics say why.</summary>
    public bool Any { get; private set; }

    public void Add(DiagnosticDescriptor descriptor, Location? at, params object[] arguments)
    {
        Any |= descriptor.DefaultSeverity == DiagnosticSeverity.Error;
        _reported.Add(Diagnostic.Create(descriptor, at ?? Location.None, arguments));
    }

    /// <summary>Notes an error that is reported elsewhere.</summary>
    public void AddSilent() => Any = true;
}
