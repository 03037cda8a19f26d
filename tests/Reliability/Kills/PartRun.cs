namespace BlitQueue.Reliability.Kills;

/// <summary>Whatever goes wrong in a part of a campaign is a violation, and the other parts are tried all the same.</summary>
internal static class PartRun
{
    public static void Try(CampaignRun run, long part, Action action)
    {
        try
        {
            action();
        }
        catch (Exception exception)
        {
            run.Violate($"--part {part}: {exception}");
        }
    }
}
