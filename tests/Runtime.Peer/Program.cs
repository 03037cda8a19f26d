namespace BlitQueue.Peer;

internal static class Program
{
    /// <summary>Exit codes: 0 done, 3 the queue refused with an exception that says its kind and reason on the standard output.</summary>
    private static int Main(string[] texts)
    {
        try
        {
            using var worker = new Worker(new Arguments(texts));
            worker.Run();
            return 0;
        }
        catch (Exception exception)
        {
            Console.Out.WriteLine($"{exception.GetType().Name}: {exception.Message}");
            Console.Error.WriteLine(exception);
            return 3;
        }
    }
}
