namespace BlitQueue.Memory;

/// <summary>
/// Whether the library has instruments: the counts that the meter reads, the meter and the activity source. They are there unless the
/// program's configuration says otherwise. Without them the benchmark shows what they cost while no program listens.
/// </summary>
internal static class Instruments
{
    /// <summary>The switch of <see cref="AppContext"/>, read once; false leaves them out.</summary>
    public const string Switch = "BlitQueue.Instruments.IsSupported";

    /// <summary>Whether they are there. A field, so that the JIT takes it for a constant and compiles one of the two ways alone.</summary>
    public static readonly bool AreSupported = !AppContext.TryGetSwitch(Switch, out bool isSupported) || isSupported;
}
