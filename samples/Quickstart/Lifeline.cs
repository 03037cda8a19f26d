namespace Quickstart;

/// <summary>Ends a producer or consumer whose launcher is gone, however that went: the launcher holds the other end of standard input.</summary>
internal static class Lifeline
{
    public static void Hold()
    {
        var thread = new Thread(static () =>
        {
            Console.OpenStandardInput().ReadByte();
            Environment.Exit(1);
        });
        thread.IsBackground = true;
        thread.Start();
    }
}
