namespace BlitQueue.Generator.Model;

/// <summary>How unpacking puts a member back.</summary>
internal enum Restore
{
    /// <summary>By assignment, at any time.</summary>
    Assign,

    /// <summary>In the object initializer only.</summary>
    Initialize,

    /// <summary>As an argument of the constructor.</summary>
    Construct,
}
