using System.Diagnostics;
using BlitQueue.Mutations;
using BlitQueue.Shapes;

// dotnet run -c Release --project tests/Mutations -- 1000000              a million mutations, of a random seed
// dotnet run -c Release --project tests/Mutations -- 1000000 17           of this seed
// dotnet run -c Release --project tests/Mutations -- 1 17 4711            this one alone
const int GivenUpAfterSeconds = 60;

long count = args.Length > 0 ? long.Parse(args[0]) : 1_000_000;
int seed = args.Length > 1 ? int.Parse(args[1]) : Random.Shared.Next();
long first = args.Length > 2 ? long.Parse(args[2]) : 0;
Console.WriteLine($"Seed {seed}: {count:N0} mutations from {first:N0}");

var campaign = new Campaign(seed, typeof(Values).Assembly);
Task work = Task.Factory.StartNew(() => campaign.Run(first, count), TaskCreationOptions.LongRunning);
var clock = Stopwatch.StartNew();
(long seen, TimeSpan since) = (campaign.Current, clock.Elapsed);
while (!((IAsyncResult)work).AsyncWaitHandle.WaitOne(1000))
{
    if (campaign.Current != seen)
    {
        (seen, since) = (campaign.Current, clock.Elapsed);
    }
    else if ((clock.Elapsed - since).TotalSeconds > GivenUpAfterSeconds)
    {
        Console.WriteLine($"Mutation {seen} hangs");
        return 2;
    }
}

if (work.Exception is { } broken)
{
    Console.WriteLine(broken.InnerException);
    return 1;
}

foreach (string line in campaign.Report())
{
    Console.WriteLine(line);
}

Console.WriteLine(
    $"{count:N0} mutations in {clock.Elapsed.TotalSeconds:N0} s, seed {seed}: {campaign.Outcome.Messages:N0} messages, "
        + $"{campaign.Outcome.Faults:N0} faults, nothing else");
return 0;
