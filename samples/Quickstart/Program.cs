namespace Quickstart;

/// <summary>
/// Sends files line by line through a queue from one process to another, which rebuilds them; then compares the SHA-256 of both sides.
/// The same program is all three: the launcher that the user starts, the producer and the consumer.
/// </summary>
internal static class Program
{
    private const int Failed = 1, BadArguments = 2;

    private static int Main(string[] args)
    {
        try
        {
            return args switch
            {
                [Producer.Verb, var workspace] => Producer.Start(new Workspace(workspace)),
                [Consumer.Verb, var workspace] => Consumer.Start(new Workspace(workspace)),
                _ => Launcher.Start(Arguments.Parse(args)),
            };
        }
        catch (ArgumentsException exception)
        {
            (exception.IsHelp ? Console.Out : Console.Error).WriteLine(exception.Message);
            return exception.IsHelp ? 0 : BadArguments;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or BlitQueue.QueueException)
        {
            Console.Error.WriteLine($"quickstart: {exception.Message}");
            return Failed;
        }
    }
}
