using System.Diagnostics;

namespace BlitQueue.Tool;

/// <summary>What the tool loads for a command: no more than the command needs.</summary>
public sealed class StartTests
{
    [Fact]
    public void Stat_loads_neither_what_draws_tables_nor_what_serves_pages()
    {
        using var folder = new Folder();
        using var queue = MappedQueue<Order>.Open(folder.Of("orders"));
        using Process stat = Blitq.Start(".", Blitq.Program, "stat", "--every", "3600", queue.Path);
        try
        {
            Assert.StartsWith("OK - orders: 0 messages", stat.StandardOutput.ReadLine(), StringComparison.Ordinal);
            string maps = File.ReadAllText($"/proc/{stat.Id}/maps");
            Assert.Contains("System.CommandLine.dll", maps, StringComparison.Ordinal);
            Assert.DoesNotContain("Spectre.Console.dll", maps, StringComparison.Ordinal);
            Assert.DoesNotContain("System.Net.", maps, StringComparison.Ordinal);
        }
        finally
        {
            stat.Kill();
            stat.WaitForExit();
        }
    }
}
