namespace BlitQueue.Generator.Model;

/// <summary>How unpacking sets a member.</summary>
internal enum Restore
{
    /// <summary>By assignment, at any time.</summary>
    Assign,

    /// <summary>In the object initializer only.</summary>
    Initialize,

    /// <summary>As an argument of the constructor.</summary>
    Construct,
}
