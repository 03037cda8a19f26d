namespace BlitQueue.Generator.Parse;

/// <summary>What a parse finds wrong. The analyzer reports it; the generator only asks whether there is anything.</summary>
internal sealed class DiagnosticBag
{
    private readonly List<Diagnostic> _reported = [];

    public IReadOnlyList<Diagnostic> Reported => _reported;

    /// <summary>Whether the type cannot be generated, be it that the compiler or another type's diagnostics say why.</summary>
    public bool Any { get; private set; }

    public void Add(DiagnosticDescriptor descriptor, Location? at, params object[] arguments)
    {
        Any |= descriptor.DefaultSeverity == DiagnosticSeverity.Error;
        _reported.Add(Diagnostic.Create(descriptor, at ?? Location.None, arguments));
    }

    /// <summary>Something is wrong that is reported elsewhere.</summary>
    public void AddSilent() => Any = true;
}
