namespace BlitQueue;

/// <summary>Texts of exceptions that foreign code has thrown: their properties may throw themselves.</summary>
internal static class ThrownText
{
    /// <summary>What the exception says; a text of this library if reading it throws.</summary>
    public static string MessageOf(Exception exception) =>
        Read(exception, static thrown => thrown.Message) ?? "(reading the message of this exception throws an exception)";

    /// <summary>Where it was thrown; null if it does not say it.</summary>
    public static string? StackOf(Exception exception) => Read(exception, static thrown => thrown.StackTrace);

    private static string? Read(Exception exception, Func<Exception, string?> property)
    {
        try
        {
            return property(exception);
        }
        catch (Exception)
        {
            return null;
        }
    }
}
