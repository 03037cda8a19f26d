using System.Globalization;
using BlitQueue.Reliability;
using BlitQueue.Reliability.Beyond;
using BlitQueue.Reliability.Copies;
using BlitQueue.Reliability.Corruption;
using BlitQueue.Reliability.Disk;
using BlitQueue.Reliability.Faults;
using BlitQueue.Reliability.Fuzzing;
using BlitQueue.Reliability.Hostile;
using BlitQueue.Reliability.Kills;
using BlitQueue.Reliability.Mixed;
using BlitQueue.Reliability.Objects;
using BlitQueue.Reliability.Power;
using BlitQueue.Reliability.Requests;
using BlitQueue.Reliability.Schedules;
using BlitQueue.Reliability.Soak;
using BlitQueue.Reliability.Surroundings;
using BlitQueue.Reliability.Workers;

// What this program does as a process that a campaign has started.
Dictionary<string, Func<string[], int>> workers = new()
{
    [PowerCampaign.Worker] = PowerWorker.Run,
    [CallsCampaign.Worker] = CallsWorker.Run,
    [DiskCampaign.Site] = DiskSite.Run,
    [DiskCampaign.Worker] = DiskWorker.Run,
    [CopiesCampaign.Site] = CopySite.Run,
    [SystemCampaign.Worker] = SystemWorker.Run,
    [ObjectsCampaign.Site] = ObjectsSite.Run,
    [BeyondCampaign.Site] = BeyondSite.Run,
};

if (args is [var worker, .. var rest] && workers.TryGetValue(worker, out Func<string[], int>? work))
{
    return work(rest);
}

// The campaigns, in the order in which they run.
ICampaign[] campaigns =
[
    new SchedulesCampaign(),
    new KillCampaign(),
    new StepCampaign(),
    new StopCampaign(),
    new OpenCampaign(),
    new RequestsCampaign(),
    new ObjectsCampaign(),
    new MixedCampaign(),
    new SoakCampaign(),
    new CorruptionCampaign(),
    new LossCampaign(),
    new HostileCampaign(),
    new FuzzCampaign(),
    new PowerCampaign(),
    new CallsCampaign(),
    new DiskCampaign(),
    new SharingCampaign(),
    new CopiesCampaign(),
    new SystemCampaign(),
    new BeyondCampaign(),
];

if (args is [WatchedWorker.Command, var worked, var seed])
{
    return WatchedWorker.Run(
        campaigns.OfType<IWatchedCampaign>().Single(campaign => campaign.Name == worked), int.Parse(seed, CultureInfo.InvariantCulture));
}

if (Options.Parse(args) is not { } options || options.Names.Any(name => campaigns.All(campaign => campaign.Name != name)))
{
    Console.Error.WriteLine(Options.Usage);
    Console.Error.WriteLine($"Campaigns: {string.Join(", ", campaigns.Select(static campaign => campaign.Name))}");
    return 2;
}

var oneMinute = TimeSpan.FromMinutes(1);
int succeeded = 0, failed = 0, skipped = 0;
foreach (ICampaign campaign in campaigns.Where(campaign => options.Names.Count == 0 || options.Names.Contains(campaign.Name)))
{
    var run = new CampaignRun(campaign, options.IsLong, options.Seed, options.Budget, options.Part);
    // Somebody who waits for an hour is told how far it is.
    using (options.IsLong ? new Timer(_ => Console.Error.WriteLine(run.Progress), null, oneMinute, oneMinute) : null)
    {
        campaign.Run(run);
    }
    Report.Print(run);
    if (options.Record)
    {
        Report.Write(run, Environment.CurrentDirectory);
    }
    bool mayBeSkipped = options.WherePossible && run.IsHindered && run.Violations.Count == 0;
    _ = Report.Succeeded(run) ? succeeded++ : mayBeSkipped ? skipped++ : failed++;
}

// The same words as of a test project, so that what counts those counts this too.
Console.WriteLine(
    $"{(failed == 0 ? "Passed" : "Failed")}! - Failed: {failed}, Passed: {succeeded}, Skipped: {skipped}, Total: "
        + $"{succeeded + failed + skipped}");
return failed == 0 ? 0 : 1;
