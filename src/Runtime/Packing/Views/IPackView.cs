namespace BlitQueue.Views;

/// <summary>
/// A view that reads one part of a packed message in place. Views of messages are generated; the others are in this namespace.
/// </summary>
/// <typeparam name="TSelf">The view itself.</typeparam>
public interface IPackView<TSelf>
    where TSelf : IPackView<TSelf>, allows ref struct
{
    /// <summary>
    /// The number of bytes of a part that is inside of maps, tuples and grids without a length in front; 0 for a variable.
    /// </summary>
    static virtual int FixedSize => 0;

    /// <summary>Views a variable; the view of the null mark, or of a variable that was not written, says that it is null.</summary>
    /// <param name="variable">The variable.</param>
    /// <returns>The view.</returns>
    /// <exception cref="PackException">The content cannot be what the view reads.</exception>
    static abstract TSelf Of(VariableView variable);
}
