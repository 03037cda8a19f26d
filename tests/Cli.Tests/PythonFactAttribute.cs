using System.ComponentModel;

namespace BlitQueue.Tool;

/// <summary>A test that needs python3; without it, it is left out.</summary>
internal sealed class PythonFactAttribute : FactAttribute
{
    private static readonly bool IsThere = Look();

    public PythonFactAttribute() => Skip = IsThere ? null : "python3 is not there";

    private static bool Look()
    {
        try
        {
            return Blitq.RunIn(".", "", "python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))").Code == 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }
}
