namespace BlitQueue.Views;

/// <summary>
/// What reads one part of a packed message where it stands. Views of messages are generated; the others are in this namespace.
/// </summary>
/// <typeparam name="TSelf">The view itself.</typeparam>
public interface IPackView<TSelf>
    where TSelf : IPackView<TSelf>, allows ref struct
{
    /// <summary>
    /// Bytes of what is viewed, where it stands inside maps, tuples and grids without a length in front; 0 for a variable.
    /// </summary>
    static virtual int FixedSize => 0;

    /// <summary>Views a variable; of the null mark, and of what was not written, the view says that it is null.</summary>
    /// <param name="variable">The variable.</param>
    /// <returns>The view.</returns>
    /// <exception cref="PackException">The content cannot be what the view reads.</exception>
    static abstract TSelf Of(VariableView variable);
}
