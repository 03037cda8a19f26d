namespace BlitQueue.Reliability;

/// <summary>One way of trying to break the queue.</summary>
internal interface ICampaign
{
    /// <summary>One word, for the command line and the name of the result's file.</summary>
    string Name { get; }

    /// <summary>One sentence for readers of the results: what is done to the queue, and what must hold.</summary>
    string Claim { get; }

    /// <summary>What is counted. A campaign goes on until it has reached all of them. The first is that of its progress.</summary>
    IReadOnlyList<Aim> Aims { get; }

    /// <summary>
    /// Goes on until the run says that it is enough; counts there, and reports violations there. The seed alone decides what is tried.
    /// </summary>
    void Run(CampaignRun run);
}

/// <summary>What a campaign counts, and how many of it each form of the campaign is to reach.</summary>
/// <param name="Counter">For example "kills".</param>
/// <param name="Short">The number for every change.</param>
/// <param name="Long">The number for a release.</param>
internal sealed record Aim(string Counter, long Short, long Long);
