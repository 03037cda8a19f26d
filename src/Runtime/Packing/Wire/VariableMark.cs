using System.ComponentModel;
namespace BlitQueue.Generated;

/// <summary>
/// Where a variable's length is to be written once its content is: from <see cref="PackWriter.BeginVariable"/> to
/// <see cref="PackWriter.EndVariable"/>.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct VariableMark
{
    internal VariableMark(int offset) => Offset = offset;

    internal int Offset { get; }
}
