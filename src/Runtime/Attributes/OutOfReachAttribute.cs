using System.ComponentModel;

namespace BlitQueue.Generated;

/// <summary>
/// For generated code: names packed members of a class that messages of other assemblies cannot reach. What is private leaves no other
/// trace in what those are compiled against; a message there that derives from the class is refused, so that nothing of it is lost.
/// </summary>
/// <param name="type">The class, as documentation comments name it.</param>
/// <param name="members">The members' names.</param>
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class OutOfReachAttribute(string type, params string[] members) : Attribute
{
    /// <summary>The class, as documentation comments name it.</summary>
    public string Type { get; } = type;

    /// <summary>The members' names.</summary>
    public IReadOnlyList<string> Members { get; } = members;
}
