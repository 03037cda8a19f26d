namespace BlitQueue.Clients;

/// <summary>A test that needs an interpreter.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PythonFactAttribute : FactAttribute
{
    public PythonFactAttribute()
    {
        if (!PythonReader.IsThere)
        {
            Skip = $"There is no {PythonReader.Interpreter} of version 3.11 or later.";
        }
    }
}
