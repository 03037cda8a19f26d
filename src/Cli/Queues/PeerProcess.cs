namespace BlitQueue.Cli.Queues;

/// <summary>The process of another handle of a queue, as the system shows it.</summary>
internal static class PeerProcess
{
    /// <summary>Whether it is stopped (SIGSTOP, Ctrl+Z, a debugger).</summary>
    /// <param name="id">Its id, as it sees itself.</param>
    /// <param name="queue">The queue's directory.</param>
    /// <returns>
    /// null if that is not known: the system does not tell, this user may not look, or the process with this id is another one because it
    /// sees itself in another container.
    /// </returns>
    public static bool? IsStopped(int id, string queue)
    {
        try
        {
            if (!File.ReadLines($"/proc/{id}/maps").Any(line => line.Contains($"{queue}/", StringComparison.Ordinal)))
            {
                return null;
            }
            // The state is the word behind the name, which stands in brackets and may contain any characters.
            string state = File.ReadAllText($"/proc/{id}/stat");
            return state[(state.LastIndexOf(')') + 2)..][0] is 'T' or 't';
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
