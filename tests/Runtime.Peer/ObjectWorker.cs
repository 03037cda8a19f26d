namespace BlitQueue.Peer;

/// <summary>
/// What this process can be told to do with shared objects, each of which has a file beside the path that is given: opens one of them, or
/// all, and uses it once.
/// </summary>
internal sealed class ObjectWorker(Arguments arguments)
{
    public const string Prefix = "object-";

    public static string PathOf(string path, ObjectKind kind) => $"{path}.{kind}";

    public void Run()
    {
        string kinds = arguments.Text("kind", "all");
        foreach (ObjectKind kind in kinds == "all" ? ObjectUse.Kinds : [Enum.Parse<ObjectKind>(kinds)])
        {
            using IDisposable opened = ObjectUse.Open(kind, PathOf(arguments.Directory, kind));
            ObjectUse.Use(opened, hasServer: arguments.Number("calls", 0) != 0);
        }
        Console.WriteLine($"used {kinds}");
    }
}
