namespace BlitQueue.Generator.Model;

/// <summary>All that the emitter needs to know of a message.</summary>
internal sealed record MessageModel
{
    public required TypeHeader Header { get; init; }

    public required bool IsStruct { get; init; }

    /// <summary>A class that others may derive from: only instances of exactly this type may be packed.</summary>
    public required bool CanBeDerived { get; init; }

    public MessageLayout Layout { get; init; }

    /// <summary>An interface: what is generated implements its contract explicitly as well, for it would only hide it.</summary>
    public bool IsInterface { get; init; }

    /// <summary>The message is one of a closed set of others and has no members of its own.</summary>
    public bool IsUnion { get; init; }

    /// <summary>What a packer packs; empty for a message, which packs itself.</summary>
    public string Packed { get; init; } = "";

    /// <summary>A union's cases by their tags.</summary>
    public EquatableArray<CaseModel> Cases { get; init; } = EquatableArray<CaseModel>.Empty;

    /// <summary>The type has errors: what is generated compiles and refuses to work.</summary>
    public required bool IsRefused { get; init; }

    /// <summary>In packed order, those of base classes first.</summary>
    public EquatableArray<MemberModel> Members { get; init; } = EquatableArray<MemberModel>.Empty;

    public int FixedLength { get; init; }

    public int VariableCount { get; init; }

    public required Creation Creation { get; init; }

    public required Clashes Clashes { get; init; }

    /// <summary>The view's name; empty for none.</summary>
    public string View { get; init; } = "";

    public bool HidesBaseView { get; init; }

    public required bool StringsAreUtf16 { get; init; }

    public EquatableArray<CallbackModel> Callbacks { get; init; } = EquatableArray<CallbackModel>.Empty;

    /// <summary>Packing runs code that is not generated: a getter with a body, a callback, a custom packer.</summary>
    public required bool RunsUserCode { get; init; }

    /// <summary>To use one of its members, its constructor or a callback is an error, except in what is itself out of use.</summary>
    public bool UsesObsolete { get; init; }

    /// <summary>What else the compiler would report in generated code that is meant for the user's.</summary>
    public EquatableArray<string> Silenced { get; init; } = EquatableArray<string>.Empty;

    /// <summary>Members, of base classes of the same assembly too, that messages of other assemblies would lose.</summary>
    public EquatableArray<OutOfReachModel> OutOfReach { get; init; } = EquatableArray<OutOfReachModel>.Empty;

    /// <summary>Unpacking runs setters with a body.</summary>
    public bool RunsSetters { get; init; }
}
