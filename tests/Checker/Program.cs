using BlitQueue.Checker;

// dotnet run --project tests/Checker -- <directory with crew.txt and the logs>
if (args is not [var directory] || !File.Exists(Path.Combine(directory, Crew.FileName)))
{
    Console.Error.WriteLine($"The directory with {Crew.FileName} and the logs that it names is what is asked for.");
    return 2;
}

var verdict = Verdict.Of(directory);
foreach (string violation in verdict.Violations)
{
    Console.WriteLine(violation);
}
Console.WriteLine($"{verdict.Violations.Count} violations, {verdict.Acknowledged} acknowledged, {verdict.Deliveries} deliveries");
return verdict.Violations.Count == 0 ? 0 : 1;
