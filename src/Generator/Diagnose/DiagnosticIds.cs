namespace BlitQueue.Generator.Diagnose;

/// <summary>The ids, shared with the code fixes.</summary>
internal static partial class DiagnosticIds
{
    public const string NotPartial = "BQ0001";
    public const string ContainerNotPartial = "BQ0002";
    public const string CannotPack = "BQ0003";
    public const string CannotBlit = "BQ0004";
    public const string CannotRestore = "BQ0005";
    public const string UnusableArgument = "BQ0006";
    public const string AbstractMessage = "BQ0008";
    public const string UnusableMember = "BQ0009";
    public const string NoConstructor = "BQ0010";
    public const string TooLarge = "BQ0011";
    public const string UnusableType = "BQ0012";
    public const string SeveralParts = "BQ0013";
    public const string UnusableCallback = "BQ0014";
    public const string UnusablePacker = "BQ0015";
    public const string UnusableOrder = "BQ0016";
    public const string LostPart = "BQ0017";
    public const string UnusableCase = "BQ0030";
    public const string CannotFill = "BQ0031";
    public const string UnusableUnionPacker = "BQ0032";
    public const string UnusableService = "BQ0040";
    public const string UnusableCall = "BQ0041";
}
