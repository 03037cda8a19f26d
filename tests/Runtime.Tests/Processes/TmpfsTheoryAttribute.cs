using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>As <see cref="TmpfsFactAttribute"/>, with data.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class TmpfsTheoryAttribute : TheoryAttribute
{
    public TmpfsTheoryAttribute() => Skip = TmpfsFactAttribute.Hindrance!;
}
