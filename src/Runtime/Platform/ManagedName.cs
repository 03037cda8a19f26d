namespace BlitQueue.Platform;

/// <summary>Giving a file a name that no other file has, by what .NET knows: one call of the system on Windows, a second name and its removal elsewhere.</summary>
internal static class ManagedName
{
    public static bool TryGive(string path, string name)
    {
        try
        {
            File.Move(path, name, overwrite: false);
            return true;
        }
        catch (IOException) when (Path.Exists(name))
        {
            return false;
        }
    }
}
