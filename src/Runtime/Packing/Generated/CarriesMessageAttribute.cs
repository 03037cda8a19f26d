using System.ComponentModel;

namespace BlitQueue.Generated;

/// <summary>
/// For generated code: a generic message that a generic type or method of this assembly makes of its own type parameters. By it the
/// generator knows, in another project, what stands for the message's parameters where that type or method is used.
/// </summary>
/// <param name="form">The message's documentation id, which names whose type parameters stand in it.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
public sealed class CarriesMessageAttribute(string form) : Attribute
{
    /// <summary>The message's documentation id.</summary>
    public string Form { get; } = form;
}
