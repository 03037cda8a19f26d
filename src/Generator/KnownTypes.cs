namespace BlitQueue.Generator;

/// <summary>Names of the types that the generator looks for, and comparison of a symbol with such a name.</summary>
internal static class KnownTypes
{
    public const string QueueMessage = "BlitQueue.QueueMessageAttribute";
    public const string PackIgnore = "BlitQueue.PackIgnoreAttribute";
    public const string PackInclude = "BlitQueue.PackIncludeAttribute";
    public const string PackOrder = "BlitQueue.PackOrderAttribute";
    public const string PackConstructor = "BlitQueue.PackConstructorAttribute";
    public const string PackUnion = "BlitQueue.PackUnionAttribute";
    public const string PackUnionOf = "BlitQueue.PackUnionOfAttribute";
    public const string QueueService = "BlitQueue.QueueServiceAttribute";
    public const string OneWay = "BlitQueue.OneWayAttribute";
    public const string PackWith = "BlitQueue.PackWithAttribute";
    public const string OnPacking = "BlitQueue.OnPackingAttribute";
    public const string OnPacked = "BlitQueue.OnPackedAttribute";
    public const string OnUnpacking = "BlitQueue.OnUnpackingAttribute";
    public const string OnUnpacked = "BlitQueue.OnUnpackedAttribute";
    public const string BitPackedBools = "BlitQueue.BitPackedBools";
    public const string InternedString = "BlitQueue.InternedString";
    public const string Utf8String = "BlitQueue.Utf8String";
    public const string Utf16String = "BlitQueue.Utf16String";
    public const string BrotliBytes = "BlitQueue.BrotliBytes";
    public const string BrotliString = "BlitQueue.BrotliString";
    public const string IPackable = "BlitQueue.IPackable`1";
    public const string IPackView = "BlitQueue.Views.IPackView`1";
    public const string IPacker = "BlitQueue.IPacker`1";
    public const string CarriesMessage = "BlitQueue.Generated.CarriesMessageAttribute";
    public const string OutOfReach = "BlitQueue.Generated.OutOfReachAttribute";
    public const string PackWriter = "BlitQueue.PackWriter";
    public const string PackReader = "BlitQueue.PackReader";
    public const string PackException = "BlitQueue.PackException";
    public const string MessageSchema = "BlitQueue.MessageSchema";
    public const string MemberSchema = "BlitQueue.MemberSchema";
    public const string MappedQueue = "BlitQueue.MappedQueue`1";
    public const string Subscription = "BlitQueue.Subscription`1";
    public const string Lease = "BlitQueue.Lease`1";
    public const string Packer = "BlitQueue.Packer";
    public const string StringEncoding = "BlitQueue.StringEncoding";
    public const string ValueTask = "System.Threading.Tasks.ValueTask";
    public const string ValueTaskOf = "System.Threading.Tasks.ValueTask`1";
    public const string IAsyncEnumerable = "System.Collections.Generic.IAsyncEnumerable`1";
    public const string CancellationToken = "System.Threading.CancellationToken";
    public const string IComparable = "System.IComparable";
    public const string IComparableOf = "System.IComparable`1";
    public const string IGrouping = "System.Linq.IGrouping`2";
    public const string List = "System.Collections.Generic.List`1";
    public const string Vector2 = "System.Numerics.Vector2";
    public const string Vector3 = "System.Numerics.Vector3";
    public const string Vector4 = "System.Numerics.Vector4";
    public const string Quaternion = "System.Numerics.Quaternion";
    public const string Plane = "System.Numerics.Plane";
    public const string Matrix3x2 = "System.Numerics.Matrix3x2";
    public const string Matrix4x4 = "System.Numerics.Matrix4x4";
    public const string Guid = "System.Guid";
    public const string Half = "System.Half";
    public const string Int128 = "System.Int128";
    public const string UInt128 = "System.UInt128";
    public const string DateTimeOffset = "System.DateTimeOffset";
    public const string TimeSpan = "System.TimeSpan";
    public const string DateOnly = "System.DateOnly";
    public const string TimeOnly = "System.TimeOnly";
    public const string Complex = "System.Numerics.Complex";
    public const string BigInteger = "System.Numerics.BigInteger";
    public const string Version = "System.Version";
    public const string Uri = "System.Uri";
    public const string StringBuilder = "System.Text.StringBuilder";
    public const string BitArray = "System.Collections.BitArray";
    public const string CultureInfo = "System.Globalization.CultureInfo";
    public const string TimeZoneInfo = "System.TimeZoneInfo";
    public const string Rune = "System.Text.Rune";
    public const string Vector = "System.Numerics.Vector`1";
    public const string GCHandle = "System.Runtime.InteropServices.GCHandle";
    public const string StructLayout = "System.Runtime.InteropServices.StructLayoutAttribute";
    public const string FieldOffset = "System.Runtime.InteropServices.FieldOffsetAttribute";
    public const string InlineArray = "System.Runtime.CompilerServices.InlineArrayAttribute";
    public const string CompilerGenerated = "System.Runtime.CompilerServices.CompilerGeneratedAttribute";
    public const string ReferenceAssembly = "System.Runtime.CompilerServices.ReferenceAssemblyAttribute";
    public const string Obsolete = "System.ObsoleteAttribute";
    public const string Experimental = "System.Diagnostics.CodeAnalysis.ExperimentalAttribute";
    public const string SetsRequiredMembers = "System.Diagnostics.CodeAnalysis.SetsRequiredMembersAttribute";

    /// <summary>Attributes that control a message's layout; in other types they have no effect.</summary>
    public static IReadOnlyList<string> Controls { get; } =
        [PackIgnore, PackInclude, PackOrder, PackConstructor, PackWith, OnPacking, OnPacked, OnUnpacking, OnUnpacked];

    /// <summary>An attribute's name as users write it: PackIgnore.</summary>
    public static string Short(string attribute)
        => attribute.Substring(attribute.LastIndexOf('.') + 1, attribute.Length - attribute.LastIndexOf('.') - 1 - "Attribute".Length);

    public static bool Is(ITypeSymbol? type, string metadataName)
    {
        if (type is not INamedTypeSymbol { ContainingType: null } named)
        {
            return false;
        }

        int dot = metadataName.LastIndexOf('.');
        return string.CompareOrdinal(metadataName, dot + 1, named.MetadataName, 0, int.MaxValue) == 0
            && IsNamespace(named.ContainingNamespace, metadataName, dot);
    }

    public static bool Has(ISymbol symbol, string attribute) => Find(symbol, attribute) is not null;

    public static AttributeData? Find(ISymbol symbol, string attribute)
    {
        foreach (AttributeData data in symbol.GetAttributes())
        {
            if (Is(data.AttributeClass, attribute))
            {
                return data;
            }
        }

        return null;
    }

    /// <summary>Whether the type implements IPackable of itself: a message of another assembly, or one written by hand.</summary>
    public static bool ImplementsPackable(INamedTypeSymbol type)
    {
        foreach (INamedTypeSymbol contract in type.AllInterfaces)
        {
            if (Is(contract.OriginalDefinition, IPackable) && SymbolEqualityComparer.Default.Equals(contract.TypeArguments[0], type))
            {
                return true;
            }
        }

        return false;
    }

    // Compares name by name from the innermost: no string is built for the many symbols that do not match.
    private static bool IsNamespace(INamespaceSymbol space, string name, int end)
    {
        while (end > 0)
        {
            int dot = name.LastIndexOf('.', end - 1);
            if (space.IsGlobalNamespace || space.Name.Length != end - dot - 1)
            {
                return false;
            }

            if (string.CompareOrdinal(name, dot + 1, space.Name, 0, space.Name.Length) != 0)
            {
                return false;
            }

            space = space.ContainingNamespace;
            end = dot;
        }

        return space.IsGlobalNamespace;
    }
}
