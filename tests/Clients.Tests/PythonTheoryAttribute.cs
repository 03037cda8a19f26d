namespace BlitQueue.Clients;

/// <summary>Tests that need an interpreter.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PythonTheoryAttribute : TheoryAttribute
{
    public PythonTheoryAttribute() => Skip = new PythonFactAttribute().Skip;
}
