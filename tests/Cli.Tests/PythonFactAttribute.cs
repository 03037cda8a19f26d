namespace BlitQueue.Tool;

/// <summary>A test that needs python3; without it, it is left out.</summary>
internal sealed class PythonFactAttribute : FactAttribute
{
    private static readonly bool IsThere = Programs.Run("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))");

    public PythonFactAttribute() => Skip = IsThere ? null : "python3 is not there";
}
