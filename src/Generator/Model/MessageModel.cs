namespace BlitQueue.Generator.Model;

/// <summary>All that the emitter needs to know of a message.</summary>
internal sealed record MessageModel
{
    public required TypeHeader Header { get; init; }

    public required bool IsStruct { get; init; }

    /// <summary>Whether the class is not sealed: only instances of exactly this type may be packed.</summary>
    public required bool CanBeDerived { get; init; }

    public MessageLayout Layout { get; init; }

    /// <summary>
    /// Whether it is an interface: public generated members would only hide those of IPackable, so explicit ones implement them.
    /// </summary>
    public bool IsInterface { get; init; }

    /// <summary>
    /// Whether the message is a union: its instances are of a closed set of other messages, and it has no members of its own.
    /// </summary>
    public bool IsUnion { get; init; }

    /// <summary>The type that a packer packs; empty for a message, which packs itself.</summary>
    public string Packed { get; init; } = "";

    /// <summary>A union's cases by their tags.</summary>
    public EquatableArray<CaseModel> Cases { get; init; } = EquatableArray<CaseModel>.Empty;

    /// <summary>Whether the type has errors: the generated code then compiles, and throws when it runs.</summary>
    public required bool IsRefused { get; init; }

    /// <summary>The members in packed order, those of base classes first.</summary>
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

    /// <summary>Whether packing runs code that is not generated: a getter with a body, a callback, a custom packer.</summary>
    public required bool RunsUserCode { get; init; }

    /// <summary>Whether the compiler reports uses of a member, the constructor or a callback as errors, except in obsolete code.</summary>
    public bool UsesObsolete { get; init; }

    /// <summary>Ids of warnings that are meant for the user's code and that generated code must disable.</summary>
    public EquatableArray<string> Silenced { get; init; } = EquatableArray<string>.Empty;

    /// <summary>Members, also of base classes in the same assembly, that derived messages of other assemblies could not pack.</summary>
    public EquatableArray<OutOfReachModel> OutOfReach { get; init; } = EquatableArray<OutOfReachModel>.Empty;

    /// <summary>Whether unpacking runs setters with a body.</summary>
    public bool RunsSetters { get; init; }
}
