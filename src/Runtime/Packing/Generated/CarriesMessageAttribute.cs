namespace BlitQueue.Generated;

/// <summary>
/// For generated code: a generic message that a generic type or method of this assembly makes of its own type parameters. From it the
/// generator knows, in another project that uses that type or method, the message's type arguments.
/// </summary>
/// <param name="form">The message's documentation id, which says whose type parameters it has.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
public sealed class CarriesMessageAttribute(string form) : Attribute
{
    /// <summary>The message's documentation id.</summary>
    public string Form { get; } = form;
}
